import { isLiveSql } from '@app/database/conversations/message-history';
import type { Json } from '@app/domain/flows/flow-file';
import type { FactType } from '@app/domain/events/fact-catalogue';
import type { StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** Something that happened to one contact, in the terms of the triggers. */
export type ContactEvent = {
  fact: StoredFact;
  type: string;
  contactId: string;
  /** What makes it one of its fact, where that tells of several. */
  part: string;
  /** One of many at once: others go first. */
  isOfMany: boolean;
  values: { readonly [name: string]: Json };
  at: Date;
};

/** The facts that flows begin with. */
export const eventFacts: readonly FactType[] = [
  'contact.created',
  'contacts.created',
  'contacts.tags_changed',
  'messages.arrived',
  'consents.said',
  'contact.consent_recorded',
  'conversation.status_changed',
  'conversations.changed',
  'contact.service_event',
];

/** Older messages start nothing: they are history. */
export const FRESH_MS = 60 * 60_000;
/** More contacts than that in one fact are an act over many. */
const FEW = 20;

/** What facts mean for flows. Messages from before `messagesFrom` are history. */
export async function readEvents(
  scope: ReadScope,
  facts: readonly StoredFact[],
  { messagesFrom = new Date(scope.clock().getTime() - FRESH_MS) }: { messagesFrom?: Date } = {},
): Promise<ContactEvent[]> {
  const messages = await readMessages(scope, facts, messagesFrom);
  const items = await readItems(scope, facts);
  const merged = await findMerged(scope, facts);
  const old = await findOfHistory(scope, facts);
  return facts.flatMap((fact): ContactEvent[] => {
    const of = { fact, at: new Date(fact.occurredAt) };
    if (fact.type === 'messages.arrived') return messages.filter((event) => event.fact === fact);
    if (fact.type === 'contact.service_event') {
      const { event, itemId } = fact.values;
      const values = items.get(String(itemId));
      if (fact.subject === null || !values) return [];
      return [
        {
          ...{ ...of, type: 'integration_event', contactId: fact.subject, part: '', isOfMany: false },
          values: { ...values, event: String(event) },
        },
      ];
    }
    if (fact.type === 'contact.created' && fact.subject !== null)
      return [{ ...of, type: 'new_contact', contactId: fact.subject, part: '', isOfMany: false, values: {} }];
    if (fact.type === 'contact.consent_recorded' && fact.subject !== null)
      return [consentOf(of, fact.subject, String(fact.values['kind']))];
    if (fact.type === 'consents.said')
      return [
        ...idsOf(fact, 'optedOut').map((id) => consentOf(of, id, 'opt_out')),
        ...idsOf(fact, 'optedIn').map((id) => consentOf(of, id, 'opt_in')),
      ];
    if (fact.type === 'conversation.status_changed' || fact.type === 'conversations.changed') {
      const { status, change = 'status', before } = fact.values;
      if (status !== 'resolved' || change !== 'status' || before === 'resolved') return [];
      const ids = idsOf(fact, 'contactIds');
      return ids.map((contactId) => ({
        ...{ ...of, type: 'conversation_resolved', contactId, part: '', values: {} },
        isOfMany: ids.length > FEW,
      }));
    }
    const { contactIds, added } = fact.values;
    if (fact.type === 'contacts.created' && Array.isArray(contactIds))
      return (contactIds as string[])
        .filter((contactId) => !old.has(contactId))
        .map((contactId) => ({
          ...{ ...of, type: 'new_contact', contactId, part: '', values: {} },
          isOfMany: false, // each wrote by themselves
        }));
    if (fact.type !== 'contacts.tags_changed' || !Array.isArray(contactIds) || !Array.isArray(added))
      return [];
    if (merged.has(fact.id)) return [];
    return contactIds.flatMap((contactId: string) =>
      added.map((tag: string) => ({
        ...{ ...of, type: 'tag_added', contactId, part: tag, values: { tag } },
        isOfMany: contactIds.length > FEW,
      })),
    );
  });
}

/**
 * Changes of tags that a merge brought, or its undoing: nobody tagged anyone, and the person may have been through the workflow already. They are of
 * the same transaction.
 */
async function findMerged(scope: ReadScope, facts: readonly StoredFact[]): Promise<ReadonlySet<number>> {
  const alone = facts.filter(({ type, values }) => {
    const { contactIds } = values;
    return type === 'contacts.tags_changed' && Array.isArray(contactIds) && contactIds.length === 1;
  });
  if (alone.length === 0) return new Set();
  const { rows } = await scope.query<{ id: string }>(
    `SELECT f.id FROM events m JOIN events f ON f.txid = m.txid
      WHERE m.workspace_id = $1 AND m.subject_id = ANY ($2::uuid[]) AND m.type IN ('contact.merged', 'contact.unmerged') AND f.id = ANY ($3::bigint[])`,
    [scope.workspaceId, alone.flatMap((fact) => idsOf(fact, 'contactIds')), alone.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Contacts that came with the history of a number, and wrote nothing else: nobody welcomes them today. */
async function findOfHistory(scope: ReadScope, facts: readonly StoredFact[]): Promise<ReadonlySet<string>> {
  const created = facts.filter(({ type }) => type === 'contacts.created');
  const ids = created.flatMap((fact) => idsOf(fact, 'contactIds'));
  if (ids.length === 0) return new Set();
  const { rows } = await scope.query<{ id: string }>(
    `SELECT m.contact_id AS id FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = ANY ($2::uuid[])
      GROUP BY m.contact_id HAVING NOT bool_or(${isLiveSql('m')})`,
    [scope.workspaceId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

function idsOf({ values }: StoredFact, name: string): string[] {
  const ids = values[name];
  return Array.isArray(ids) ? (ids as string[]) : []; // the catalogue says so
}

function consentOf(of: { fact: StoredFact; at: Date }, contactId: string, consent: string): ContactEvent {
  return {
    ...{ ...of, type: 'consent_changed', contactId, part: consent, values: { consent } },
    isOfMany: false, // each said it by themselves
  };
}

/** What orders and bookings have to say, by their ids. */
async function readItems(
  scope: ReadScope,
  facts: readonly StoredFact[],
): Promise<Map<string, Record<string, string>>> {
  const ids = facts.flatMap(({ type, values }) =>
    type === 'contact.service_event' && typeof values['itemId'] === 'string' ? [values['itemId']] : [],
  );
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<{ id: string; values: Record<string, string> }>(
    'SELECT id, "values" FROM integration_items WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  return new Map(rows.map(({ id, values }) => [id, values]));
}

type MessageRow = {
  id: string;
  contact_id: string;
  channel_id: string;
  text: string | null;
  button: string | null;
  /** Of a form that the contact filled in in the chat. */
  answers: { readonly [name: string]: Json } | null;
  at: Date;
};

async function readMessages(
  scope: ReadScope,
  facts: readonly StoredFact[],
  messagesFrom: Date,
): Promise<ContactEvent[]> {
  const factOf = new Map<string, StoredFact>();
  for (const fact of facts)
    if (fact.type === 'messages.arrived' && Array.isArray(fact.values['messageIds']))
      for (const id of fact.values['messageIds'] as string[]) factOf.set(id, fact);
  if (factOf.size === 0) return [];
  const { rows } = await scope.query<MessageRow>({
    name: 'flows_read_messages',
    text: `SELECT m.id, m.contact_id, m.channel_id, m.text, CASE m.content->>'type' WHEN 'button_reply' THEN m.content->>'payload' WHEN 'list_reply' THEN m.content->>'id' END AS button,
            CASE WHEN m.content->>'type' = 'flow_reply' THEN (m.content->'answers') - 'flow_token' END AS answers, m.occurred_at AS at
       FROM messages m JOIN contacts k ON k.id = m.contact_id AND k.status <> 'blocked'
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.direction = 'in' AND is_said(m) AND m.occurred_at > $3 AND ${isLiveSql('m')}
      ORDER BY m.occurred_at, m.id`,
    values: [scope.workspaceId, [...factOf.keys()], messagesFrom],
  });
  return rows.flatMap((row): ContactEvent[] => {
    const of = { fact: factOf.get(row.id)!, contactId: row.contact_id, part: row.id, at: row.at };
    const values = { text: row.text ?? '', message_id: row.id, channel_id: row.channel_id };
    const isOfMany = false; // they were asked for
    return [
      { ...of, isOfMany, type: 'message_received', values: { ...values, button: row.button } },
      // The same message, so that it is answered once.
      ...(row.answers === null
        ? []
        : [{ ...of, isOfMany, type: 'form_submission', values: { ...values, answers: row.answers } }]),
    ];
  });
}
