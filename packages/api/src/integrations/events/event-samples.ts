import type { FactType } from '@app/domain/events/fact-catalogue';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { ConnectorEvent } from '@app/domain/integrations/event-connector';
import { flatEvent } from '@app/domain/integrations/flat-event';
import { exampleEvent } from '@app/domain/webhook-endpoints/webhook-events';
import { composeEvent } from '../../platform/connectors/compose-event.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { LineBody } from '../../webhook-endpoints/connector-deliveries.ts';

/** Events of this type that were sent to the service, as it gets them; a made-up one where there was none. */
export async function listSamples(
  scope: ReadScope,
  { publicUrl, clock }: Pick<ApiDependencies, 'publicUrl' | 'clock'>,
  { name }: ConnectorKind,
  eventType: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await scope.query<{ id: string; endpoint_id: string; occurred_at: Date; body: string }>(
    `SELECT id, endpoint_id, occurred_at, body FROM (
       SELECT DISTINCT ON (d.fact_id, d.part) d.id, d.endpoint_id, d.occurred_at, d.body, d.line_no FROM webhook_deliveries d
         JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id
         JOIN integrations i ON i.workspace_id = e.workspace_id AND i.id = e.integration_id
        WHERE d.workspace_id = $1 AND i.kind = $2 AND d.type = $3 AND d.body IS NOT NULL ORDER BY d.fact_id, d.part, d.line_no) AS found
      ORDER BY line_no DESC LIMIT 3`,
    [scope.workspaceId, name, eventType],
  );
  const events: ConnectorEvent[] = [];
  for (const row of rows) {
    const event = await composeEvent(scope, publicUrl, {
      ...{
        id: row.id,
        type: eventType,
        occurredAt: row.occurred_at.toISOString(),
        endpointId: row.endpoint_id,
      },
      ...(JSON.parse(row.body) as LineBody), // as it was enqueued
      ...{ target: null, hookUrl: null, mayBeThere: false },
    });
    if (event) events.push(event);
  }
  return (events.length > 0 ? events : [madeUp(eventType as FactType, publicUrl, clock())]).map(flatEvent);
}

const EXAMPLE_ID = '0193a6f0-0000-7000-8000-000000000001';

function madeUp(type: FactType, publicUrl: string, now: Date): ConnectorEvent {
  const at = now.toISOString();
  const { values } = exampleEvent(type, at);
  const contact = { id: EXAMPLE_ID, name: 'Ana Diaz', phone: '+34612345678', email: 'ana@example.com' };
  return {
    ...{ id: EXAMPLE_ID, type, occurredAt: at, data: values, contact: { ...contact, tags: ['vip'] } },
    conversation: /^(conversation|message|chatbot)/.test(type)
      ? { id: EXAMPLE_ID, link: `${publicUrl}/dashboard/inbox/${EXAMPLE_ID}`, thread: null }
      : null,
    messages: type === 'messages.arrived' ? [{ id: EXAMPLE_ID, text: 'Is it still open?', at }] : [],
    campaign: type.startsWith('campaign.')
      ? {
          ...{ id: EXAMPLE_ID, name: 'Spring', channelKind: 'channel' },
          link: `${publicUrl}/dashboard/campaigns/${EXAMPLE_ID}`,
        }
      : null,
    ...{ language: 'en', target: null, hookUrl: null, mayBeThere: false },
  };
}
