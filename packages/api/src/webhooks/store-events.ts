import type pg from 'pg';
import { applyStatuses } from '@app/delivery/apply-statuses';
import type { Queries } from '@app/database/database';
import { recordConsents } from '@app/database/contacts/record-consents';
import { databaseCode } from '@app/database/query-error';
import { readEventTime } from '@app/domain/messaging/event-time';
import type { TemplateEvent, InboundEvent, MessageStatusReported } from '@app/domain/messaging/inbound-event';
import type { LiveEvents } from '../platform/live-events.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { forgetErased } from './forget-erased.ts';
import type { ContactRef, JoinContacts } from './find-contacts.ts';
import { keepEvents, type StoredEvent } from './keep-events.ts';
import { joinWithin, lockPeople, readPeople, WorkspaceNotOwned } from './lock-people.ts';
import { readWishes } from './store-consent.ts';
import { storeIdentities } from './store-identities.ts';
import { storeMessages, type OwnedMessage } from './store-messages.ts';

/** Applies what the platform says of a template; runs in the transaction that stores the event. */
export type TemplateEventHandler = (tx: Queries, workspaceId: string, event: TemplateEvent) => Promise<void>;

type StoreDependencies = Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents' | 'logger' | 'secrets'> & {
  onTemplateEvent: TemplateEventHandler;
  joinContacts: JoinContacts;
};

/**
 * Two transactions may meet on the same rows (a send being settled, its status arriving), and a contact may go, or an identifier become
 * somebody's, between the look-up and the write: the loser tries again and looks anew.
 */
const RETRYABLE = new Set(['40001', '40P01', '23503', '23505']);
const MAX_TRIES = 4;

/** Stores a group of events in one transaction; a copy of an event that is already there changes nothing. */
export async function storeEvents(
  events: readonly StoredEvent[],
  dependencies: StoreDependencies,
): Promise<void> {
  const mustOwn = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changes = await dependencies.db.inSystem((tx, client) =>
        storeAll(tx, client, { events, mustOwn }, dependencies),
      );
      await announce(dependencies.liveEvents, changes);
      return;
    } catch (error) {
      if (error instanceof WorkspaceNotOwned && !mustOwn.has(error.workspaceId)) {
        mustOwn.add(error.workspaceId);
        continue;
      }
      if (attempt >= MAX_TRIES || !RETRYABLE.has(databaseCode(error) ?? '')) throw error;
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
  { events, mustOwn }: { events: readonly StoredEvent[]; mustOwn: ReadonlySet<string> },
  { clock, joinContacts: joinAny, onTemplateEvent, secrets }: StoreDependencies,
): Promise<Changes> {
  const now = clock().getTime();
  const { statuses, messages, others } = sortEvents(events, now);
  const people = await readPeople(client, events, mustOwn);
  const joinContacts = joinWithin(people, joinAny);
  const { unmatched } = await applyStatuses(
    client,
    statuses.map(({ event, workspaceId }) => ({ ...event, workspaceId })),
  );
  others.push(...unmatched.flatMap((place) => statuses[place] ?? []));
  await lockPeople(client, people);

  const changes: Changes = { contacts: new Map(), templates: new Set() };
  const note = (concerned: readonly ContactRef[]) => {
    for (const { workspaceId, contactId } of concerned)
      changes.contacts.set(workspaceId, (changes.contacts.get(workspaceId) ?? new Set()).add(contactId));
  };
  const fresh = await keepEvents(client, await forgetErased(client, secrets, others), now);
  // Before the messages, so that what somebody writes from a new number finds its contact.
  note(await storeIdentities(client, { events: fresh, joinContacts, now }));
  const kept = await forgetErased(client, secrets, messages);
  const written = await storeMessages(client, { messages: kept, joinContacts, now });
  const wished = await readWishes(client, { events: fresh, joinContacts, now });
  await recordConsents(client, [...written.words, ...wished.words]);
  note(written.contacts);
  note(wished.contacts);
  for (const { event, workspaceId } of fresh) {
    if (!isTemplateEvent(event)) continue;
    await onTemplateEvent(tx, workspaceId, event);
    changes.templates.add(workspaceId);
  }
  return changes;
}

type Sorted = {
  statuses: (StoredEvent & { event: MessageStatusReported })[];
  messages: OwnedMessage[];
  others: StoredEvent[];
};

function sortEvents(events: readonly StoredEvent[], now: number): Sorted {
  const sorted: Sorted = { statuses: [], messages: [], others: [] };
  for (const { event: arrived, workspaceId, channelId } of events) {
    const occurredAt = readEventTime(arrived.occurredAt, now);
    const event = occurredAt === arrived.occurredAt ? arrived : { ...arrived, occurredAt };
    if (event.type === 'message_status' && event.tag !== null)
      sorted.statuses.push({ event, workspaceId, channelId });
    else if (event.type === 'message_received' && channelId !== null)
      sorted.messages.push({ event, workspaceId, channelId });
    else sorted.others.push({ event, workspaceId, channelId });
  }
  return sorted;
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
