import { integrationEventsContract } from '@app/contracts/integrations/integration-events-contract';
import { newId } from '@app/database/new-id';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { EventExchange } from '@app/domain/integrations/event-connector';
import { TEST_EVENT, webhookEventTypes } from '@app/domain/webhook-endpoints/webhook-events';
import { webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import { openConnector } from '../../platform/connectors/open-connector.ts';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { insertDeliveries } from '../../webhook-endpoints/enqueue-deliveries.ts';
import { removeHook, resendFailed, setLine } from '../../webhook-endpoints/connector-lines.ts';
import { listDeliveries } from '../../webhook-endpoints/webhook-deliveries-queries.ts';
import { findIntegration, type IntegrationRow } from '../integration-rows.ts';
import { countHooks, presentEvents, setEvents } from './event-settings.ts';
import { listSamples } from './event-samples.ts';

const os = implementEndpoints(integrationEventsContract);

type Missing = 'integration_not_found' | 'integration_not_available' | 'integration_not_connected';
type EventKind = ConnectorKind & { events: EventExchange };

export const integrationEventsApi = os.router({
  get: os.get.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const found = await findConnected(scope, context, input.kind);
      if (typeof found === 'string') throw errors[found]();
      return presentEvents(scope, found.kind, found.row);
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await findConnected(scope, context, input.kind, 'FOR NO KEY UPDATE');
      if (typeof found === 'string') throw errors[found]();
      if (found.row.version !== input.version) throw errors.integration_changed();
      await setEvents(scope, found.kind, found.row, input);
      return presentEvents(scope, found.kind, (await findIntegration(scope, input.kind))!); // its row is locked
    }),
  ),

  listTargets: os.listTargets.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findConnected(scope, context, input.kind));
    if (typeof found === 'string') throw errors[found]();
    const { workspaceId } = context.session;
    const connector = await openConnector(context, found.kind, {
      ...{ workspaceId, credentials: found.credentials },
    });
    const reply = (await connector.events?.listTargets?.()) ?? { ok: true, value: [] };
    if (!reply.ok)
      throw errors.integration_refused({
        data: { values: { reason: reply.detail ?? '', word: reply.problem } },
      });
    return { items: [...reply.value] };
  }),

  listDeliveries: os.listDeliveries.handler(({ input: { kind, ...input }, context, errors }) =>
    context.read(async (scope) => {
      const found = await findConnected(scope, context, kind);
      if (typeof found === 'string') throw errors[found]();
      return listDeliveries(scope, { ...input, integrationId: found.row.id });
    }),
  ),

  retry: os.retry.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await findConnected(scope, context, input.kind, 'FOR NO KEY UPDATE');
      if (typeof found === 'string') throw errors[found]();
      await resendFailed(scope, found.row.id);
      return presentEvents(scope, found.kind, found.row);
    }),
  ),

  sendTest: os.sendTest.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await findConnected(scope, context, input.kind, 'FOR NO KEY UPDATE');
      if (typeof found === 'string') throw errors[found]();
      const endpointId = await setEvents(scope, found.kind, found.row, null);
      const now = scope.clock();
      const body = { data: {}, contactId: null, conversationId: null };
      const delivery = { id: newId(), endpoint_id: endpointId, fact_id: null, type: TEST_EVENT };
      await insertDeliveries(
        ...([scope, scope.workspaceId] as const),
        [
          {
            ...{ ...delivery, occurred_at: now.toISOString(), body: JSON.stringify(body) },
            ...{ contact_ids: [], is_manual: true },
          },
        ],
        now,
      );
      return presentEvents(scope, found.kind, found.row);
    }),
  ),

  subscribe: os.subscribe.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { kind: name, url, eventType } = input;
      const found = await findConnected(scope, context, name, 'FOR NO KEY UPDATE');
      if (typeof found === 'string') throw errors[found]();
      if (!found.kind.events.hasHooks) throw errors.integration_not_available();
      const problem = context.calls.checkAddress(url);
      if (problem === 'invalid_address') throw errors.webhook_url_invalid({ data: { field: 'url' } });
      if (problem === 'address_refused') throw errors.webhook_url_refused({ data: { field: 'url' } });
      if (new URL(url).protocol !== 'https:' && !context.calls.isNamed(url))
        throw errors.webhook_url_insecure({ data: { field: 'url' } });
      if (!isEventType(eventType)) throw errors.webhook_event_unknown({ data: { field: 'eventType' } });
      if ((await countHooks(scope, found.row.id, url)) >= webhookLimits.endpoints)
        throw errors.webhook_endpoint_limit();
      const { perSecond } = found.kind.events;
      const id = await setLine(scope, {
        ...{ integrationId: found.row.id, url, eventTypes: [eventType], perSecond },
      });
      return { id };
    }),
  ),

  unsubscribe: os.unsubscribe.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await findConnected(scope, context, input.kind, 'FOR NO KEY UPDATE');
      if (typeof found === 'string') throw errors[found]();
      await removeHook(scope, found.row.id, input.endpointId);
      return {};
    }),
  ),

  listSamples: os.listSamples.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const found = await findConnected(scope, context, input.kind);
      if (typeof found === 'string') throw errors[found]();
      if (!isEventType(input.eventType)) throw errors.webhook_event_unknown({ data: { field: 'eventType' } });
      return listSamples(scope, context, found.kind, input.eventType);
    }),
  ),
});

const isEventType = (type: string) => webhookEventTypes.some((known) => known === type);

/** A connection that hears of events, or what is missing. */
async function findConnected(
  scope: ReadScope,
  context: SignedInContext,
  name: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<
  { kind: EventKind; row: IntegrationRow; credentials: NonNullable<IntegrationRow['credentials']> } | Missing
> {
  const kind = context.connectorKinds.find(name);
  if (!kind) return 'integration_not_found';
  if (!kind.events) return 'integration_not_available';
  const row = await findIntegration(scope, name, lock);
  if (!row?.credentials || row.status === 'disconnected') return 'integration_not_connected';
  return { kind: { ...kind, events: kind.events }, row, credentials: row.credentials };
}
