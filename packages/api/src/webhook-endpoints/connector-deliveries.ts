import { newId } from '@app/database/new-id';
import { isOfTopics } from '@app/domain/integrations/event-connector';
import type { StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { contactsOf, type NewDelivery } from './new-delivery.ts';

/** What is stored of one event until a connector sends it. The rest is read at that moment, so that it shows what is true then. */
export type LineBody = {
  data: Record<string, unknown>;
  contactId: string | null;
  conversationId: string | null;
  messageIds?: string[];
  campaignId?: string;
};

/** One delivery for each contact or conversation that a fact names, for each connection that hears of it; their order is that of the facts. */
export async function deliveriesOfLines(
  scope: ReadScope,
  lines: readonly { id: string; event_types: string[]; is_hook: boolean }[],
  facts: readonly StoredFact[],
): Promise<NewDelivery[]> {
  // What a service subscribed itself is every fact of the type; a topic may mean some of them.
  const isWanted = ({ event_types: types, is_hook: isHook }: (typeof lines)[number], fact: StoredFact) =>
    types.includes(fact.type) && (isHook || isOfTopics(fact.type, fact.values));
  const heard = facts.filter((fact) => lines.some((line) => isWanted(line, fact)));
  const deliveries: NewDelivery[] = [];
  for (const fact of heard) {
    const bodies = await bodiesOf(scope, fact);
    const occurredAt = new Date(fact.occurredAt).toISOString();
    for (const line of lines)
      if (isWanted(line, fact))
        deliveries.push(
          ...bodies.map((body, part) => ({
            ...{
              id: newId(),
              endpoint_id: line.id,
              fact_id: fact.id,
              part,
              type: fact.type,
              occurred_at: occurredAt,
            },
            ...{ body: JSON.stringify(body), contact_ids: body.contactId === null ? [] : [body.contactId] },
            is_manual: false,
          })),
        );
  }
  return deliveries;
}

async function bodiesOf(scope: ReadScope, fact: StoredFact): Promise<LineBody[]> {
  const { type, subjectKind, subject, values } = fact;
  const data = withoutLists(values);
  if (type === 'messages.arrived') {
    const found = await findArrived(scope, idsIn(values['messageIds']));
    return found.map((one) => ({ data, ...one }));
  }
  if (subjectKind === 'conversation') {
    const ids = subject === null ? idsIn(values['conversationIds']) : [subject];
    const found = await findConversations(scope, ids);
    return found.map((one) => ({ data, ...one }));
  }
  if (type === 'consents.said') {
    const said = (name: string, kind: string) =>
      idsIn(values[name]).map((contactId) => ({ data: { kind }, contactId, conversationId: null }));
    return [...said('optedOut', 'opt_out'), ...said('optedIn', 'opt_in')];
  }
  const contactIds = contactsOf(fact);
  if (contactIds.length > 0)
    return contactIds.map((contactId) => ({ data, contactId, conversationId: null }));
  const ofCampaign = subjectKind === 'campaign' && subject !== null ? { campaignId: subject } : {};
  return [{ data, contactId: null, conversationId: null, ...ofCampaign }];
}

/** Ids of people stand with each delivery; the others are of no use to a service. */
function withoutLists(values: Record<string, unknown>): Record<string, unknown> {
  const isList = (name: string) => name.endsWith('Ids');
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isList(name)));
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}

type Found = { contactId: string; conversationId: string };

async function findConversations(scope: ReadScope, ids: readonly string[]): Promise<Found[]> {
  const { rows } = await scope.query<Found>(
    `SELECT id AS "conversationId", contact_id AS "contactId" FROM conversations
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY array_position($2::uuid[], id)`,
    [scope.workspaceId, ids],
  );
  return rows;
}

/** What contacts wrote, by conversation. */
async function findArrived(
  scope: ReadScope,
  ids: readonly string[],
): Promise<(Found & { messageIds: string[] })[]> {
  const { rows } = await scope.query<Found & { messageIds: string[] }>(
    `SELECT c.id AS "conversationId", c.contact_id AS "contactId", array_agg(m.id::text ORDER BY m.occurred_at, m.id) AS "messageIds"
       FROM messages m JOIN conversations c ON c.workspace_id = m.workspace_id AND c.contact_id = m.contact_id AND c.channel_id = m.channel_id
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.direction = 'in' AND is_said(m)
      GROUP BY c.id, c.contact_id ORDER BY min(m.occurred_at), c.id`,
    [scope.workspaceId, ids],
  );
  return rows;
}
