import type pg from 'pg';
import { applyStatuses } from '@app/delivery/apply-statuses';
import type { Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import type {
  TemplateEvent,
  InboundEvent,
  MessageStatusReported,
  PreferenceChanged,
} from '@app/domain/messaging/inbound-event';
import type { LiveEvents } from '../platform/live-events.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { forgetErased } from './forget-erased.ts';
import { storeConsent } from './store-consent.ts';
import { storeMessages, type OwnedMessage } from './store-messages.ts';
import { storableJson } from './storable.ts';

export type StoredEvent = { event: InboundEvent; workspaceId: string; channelId: string | null };

/** Applies what the platform says of a template; runs in the transaction that stores the event. */
export type TemplateEventHandler = (tx: Queries, workspaceId: string, event: TemplateEvent) => Promise<void>;

type StoreDependencies = Pick<ApiDependencies, 'db' | 'liveEvents' | 'logger' | 'secrets'> & {
  onTemplateEvent: TemplateEventHandler;
};

/** Two transactions may meet on the same rows (a send being settled, its status arriving); the loser tries again. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_TRIES = 4;

/** Stores a group of events in one transaction; a copy of an event that is already there changes nothing. */
export async function storeEvents(
  events: readonly StoredEvent[],
  dependencies: StoreDependencies,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changes = await dependencies.db.inSystem((tx, client) =>
        storeAll(tx, client, events, dependencies),
      );
      await announce(dependencies.liveEvents, changes).catch((error) =>
        dependencies.logger.warn({ err: error }, 'a live event was not announced'),
      );
      return;
    } catch (error) {
      if (attempt >= MAX_TRIES || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

type Changes = {
  /** Contacts with a new message or consent, by workspace. */
  contacts: Map<string, Set<string>>;
  /** Workspaces whose templates changed. */
  templates: Set<string>;
};

async function storeAll(
  tx: Queries,
  client: pg.PoolClient,
  events: readonly StoredEvent[],
  { onTemplateEvent, secrets }: StoreDependencies,
): Promise<Changes> {
  const statuses: (StoredEvent & { event: MessageStatusReported })[] = [];
  const messages: OwnedMessage[] = [];
  const others: StoredEvent[] = [];
  for (const { event, workspaceId, channelId } of events) {
    if (event.type === 'message_status' && event.tag !== null)
      statuses.push({ event, workspaceId, channelId });
    else if (event.type === 'message_received' && channelId !== null)
      messages.push({ event, workspaceId, channelId });
    else others.push({ event, workspaceId, channelId });
  }
  const { unmatched } = await applyStatuses(
    client,
    statuses.map(({ event, workspaceId }) => ({ ...event, workspaceId })),
  );
  others.push(...unmatched.flatMap((place) => statuses[place] ?? []));

  const changes: Changes = { contacts: new Map(), templates: new Set() };
  const note = (workspaceId: string, contactId: string) =>
    changes.contacts.set(workspaceId, (changes.contacts.get(workspaceId) ?? new Set()).add(contactId));
  const keptMessages = await forgetErased(client, secrets, messages);
  for (const { workspaceId, contactId } of await storeMessages(client, keptMessages))
    note(workspaceId, contactId);

  const fresh = await storeOthers(client, await forgetErased(client, secrets, others));
  const preferences = fresh.filter(
    (stored): stored is StoredEvent & { event: PreferenceChanged } =>
      stored.event.type === 'preference_changed',
  );
  for (const { workspaceId, contactId } of await storeConsent(client, preferences))
    note(workspaceId, contactId);
  for (const { event, workspaceId } of fresh) {
    if (!isTemplateEvent(event)) continue;
    await onTemplateEvent(tx, workspaceId, event);
    changes.templates.add(workspaceId);
  }
  return changes;
}

/** Keeps events in the platform's own words; answers with those that were not there yet. */
async function storeOthers(client: pg.PoolClient, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const byId = new Map(events.map((stored) => [newId(), stored]));
  const { rows } = await client.query(
    `INSERT INTO platform_events (id, workspace_id, channel_id, kind, dedup_key, payload, occurred_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
     ON CONFLICT (workspace_id, dedup_key) DO NOTHING RETURNING id`,
    [
      [...byId.keys()],
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ channelId }) => channelId),
      events.map(({ event }) => event.type),
      events.map(({ event }) => event.dedupKey),
      events.map(({ event }) => storableJson(event.raw)),
      events.map(({ event }) => new Date(event.occurredAt)),
    ],
  );
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

function isTemplateEvent(event: InboundEvent): event is TemplateEvent {
  return event.type.startsWith('template_');
}

async function announce(liveEvents: LiveEvents, { contacts, templates }: Changes): Promise<void> {
  for (const [workspaceId, contactIds] of contacts) {
    await liveEvents.publish(workspaceId, 'messages', { contactIds: [...contactIds].slice(0, 50) });
    await liveEvents.publish(workspaceId, 'contacts');
  }
  for (const workspaceId of templates) await liveEvents.publish(workspaceId, 'templates');
}
