import type { ConnectorEvent, EventMessage, EventTarget } from '@app/domain/integrations/event-connector';
import type { ReadScope } from '../workspace-scope.ts';

export type WantedEvent = Pick<ConnectorEvent, 'id' | 'type' | 'occurredAt' | 'data' | 'hookUrl'> & {
  endpointId: string;
  contactId: string | null;
  conversationId: string | null;
  /** What arrived; without them and with a conversation, what the contact wrote last. */
  messageIds?: readonly string[] | undefined;
  campaignId?: string | undefined;
  target: EventTarget | null;
  mayBeThere: boolean;
};

/** Messages of one event, at most. */
const MOST_MESSAGES = 20;

/** All that a service shows of an event, as it is now. Null where the contact is gone: then there is nothing to tell. */
export async function composeEvent(
  scope: ReadScope,
  publicUrl: string,
  wanted: WantedEvent,
): Promise<ConnectorEvent | null> {
  const { contactId, conversationId, campaignId, id, type, occurredAt, data, target, hookUrl, mayBeThere } =
    wanted;
  const contact = contactId === null ? null : await findContact(scope, contactId, wanted.endpointId);
  if (contactId !== null && contact === null) return null;
  const thread = conversationId === null ? null : await findThread(scope, wanted);
  const link = `${publicUrl}/dashboard`;
  return {
    ...{ id, type, occurredAt, data, target, hookUrl, mayBeThere, contact },
    conversation:
      conversationId === null
        ? null
        : {
            id: conversationId,
            link: `${link}/inbox/${conversationId}`,
            thread: thread && { target: thread.target, thread: thread.thread },
          },
    messages: conversationId === null ? [] : await listMessages(scope, wanted, thread?.told_until ?? null),
    campaign: campaignId === undefined ? null : await findCampaign(scope, campaignId, `${link}/campaigns`),
    language: await readLanguage(scope),
  };
}

async function findContact(
  scope: ReadScope,
  contactId: string,
  endpointId: string,
): Promise<ConnectorEvent['contact']> {
  const { rows } = await scope.query<NonNullable<ConnectorEvent['contact']>>(
    `SELECT c.id, c.name, c.phone, c.email, c.tags,
            (SELECT r.external_id FROM webhook_endpoints e
               JOIN integration_records r ON r.workspace_id = e.workspace_id AND r.integration_id = e.integration_id
              WHERE e.workspace_id = $1 AND e.id = $3 AND r.contact_id = c.id AND r.external_id IS NOT NULL AND NOT r.is_gone LIMIT 1) AS "externalId"
       FROM contacts c WHERE c.workspace_id = $1 AND c.id = $2`,
    [scope.workspaceId, contactId, endpointId],
  );
  return rows[0] ?? null;
}

type ThreadRow = { target: string; thread: string; told_until: Date | null };

async function findThread(
  scope: ReadScope,
  { endpointId, conversationId }: WantedEvent,
): Promise<ThreadRow | null> {
  const { rows } = await scope.query<ThreadRow>(
    `SELECT target, thread, told_until FROM connector_threads WHERE workspace_id = $1 AND endpoint_id = $2 AND conversation_id = $3`,
    [scope.workspaceId, endpointId, conversationId],
  );
  return rows[0] ?? null;
}

async function listMessages(
  scope: ReadScope,
  { conversationId, messageIds }: WantedEvent,
  toldUntil: Date | null,
): Promise<EventMessage[]> {
  const { rows } = await scope.query<{ id: string; text: string | null; type: string; at: Date }>(
    `SELECT m.id, m.text, m.type, m.occurred_at AS at
       FROM messages m JOIN conversations c ON c.workspace_id = m.workspace_id AND c.contact_id = m.contact_id AND c.channel_id = m.channel_id
      WHERE m.workspace_id = $1 AND c.id = $2 AND m.direction = 'in' AND is_said(m)
        AND ($3::uuid[] IS NULL OR m.id = ANY ($3) OR $4::timestamptz IS NOT NULL)
        AND ($4::timestamptz IS NULL OR date_trunc('milliseconds', m.occurred_at) > $4)
      ORDER BY m.occurred_at DESC, m.id DESC LIMIT $5`,
    [
      ...[scope.workspaceId, conversationId, messageIds ?? null, toldUntil],
      messageIds === undefined && toldUntil === null ? 1 : MOST_MESSAGES,
    ],
  );
  return rows
    .toReversed()
    .map(({ id, text, type, at }) => ({ id, text: text ?? `[${type}]`, at: at.toISOString() }));
}

async function findCampaign(
  scope: ReadScope,
  campaignId: string,
  link: string,
): Promise<ConnectorEvent['campaign']> {
  const { rows } = await scope.query<{ name: string; channel_kind: string | null }>(
    `SELECT c.name, ch.kind AS channel_kind FROM campaigns c LEFT JOIN channels ch ON ch.workspace_id = c.workspace_id AND ch.id = c.channel_id
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [scope.workspaceId, campaignId],
  );
  const [found] = rows;
  if (!found) return null;
  const channelKind = found.channel_kind ?? '';
  return { id: campaignId, name: found.name, link: `${link}/${campaignId}`, channelKind };
}

async function readLanguage(scope: ReadScope): Promise<string> {
  const { rows } = await scope.query<{ language: string }>('SELECT language FROM workspaces WHERE id = $1', [
    scope.workspaceId,
  ]);
  return rows[0]?.language ?? 'en';
}
