import type pg from 'pg';
import { applyMessageStatuses, isOfMessage } from '@app/delivery/messages/apply-message-statuses';
import { applyStatuses } from '@app/delivery/statuses/apply-statuses';
import type { KnownRuns } from '@app/delivery/statuses/known-runs';
import { guardNumber } from '@app/delivery/guard-runs';
import { emitRuns } from '@app/delivery/emit-runs';
import { changeConsent, findNewWishes } from '@app/database/contacts/change-consent';
import { databaseCode } from '@app/database/query-error';
import { isQualityDrop } from '@app/domain/messaging/quality-drop';
import { readEventTime } from '@app/domain/messaging/event-time';
import type { AgentState } from '@app/domain/channels/agent-desk';
import type { AccountVerdict } from '@app/domain/channels/account-verdict';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { TemplateEvent, InboundEvent, MessageStatusReported } from '@app/domain/messaging/inbound-event';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAcrossWorkspaces, type ScopeOf } from '../platform/system-work.ts';
import { suppressUnknown } from '../platform/suppression-list.ts';
import { enqueueFetches } from '../message-files/fetch-jobs.ts';
import { deleteErased } from './delete-erased.ts';
import type { ContactRef, JoinContacts } from './find-contacts.ts';
import { keepEvents, type StoredEvent } from './keep-events.ts';
import { joinWithin, lockPeople, readPeople, WorkspaceNotOwned } from './lock-people.ts';
import { readWishes } from './store-consent.ts';
import { storeIdentities, storeNames } from './store-identities.ts';
import { storeMessages, type OwnedMessage } from './store-messages.ts';
import { emitInbound } from './emit-inbound.ts';

/**
 * Applies what the platform says of a template; runs in the transaction that stores the event. `isCopy`: the same was said before, with
 * the same time.
 */
export type TemplateEventHandler = (
  scope: WorkspaceScope,
  event: TemplateEvent,
  isCopy: boolean,
) => Promise<void>;

/** Does what follows from a platform's word about an account of this kind; runs in that transaction, once for each event. */
export type AccountVerdictHandler = (
  scope: WorkspaceScope,
  kinds: ChannelKinds,
  said: { kind: string; account: string; verdict: AccountVerdict; at: Date },
) => Promise<void>;

/** Has the agent behind a channel checked, after an event said whether it may send; runs in that transaction, once for each event. */
export type AgentStateHandler = (
  jobs: Jobs,
  scope: WorkspaceScope,
  said: { channelId: string; state: AgentState; at: Date },
) => Promise<void>;

export type StoreDependencies = Pick<
  ApiDependencies,
  'db' | 'clock' | 'facts' | 'jobs' | 'logger' | 'secrets' | 'channelKinds'
> & {
  onTemplateEvent: TemplateEventHandler;
  onAccountVerdict: AccountVerdictHandler;
  onAgentState: AgentStateHandler;
  joinContacts: JoinContacts;
  /** Of whoever stores many groups, so that each asks only for what none before it met. */
  knownRuns?: KnownRuns;
};

/**
 * Two transactions may meet on the same rows (a send being settled, its status arriving), and a contact may go, or an identifier become
 * somebody's, between the look-up and the write: the loser tries again and looks anew.
 */
const RETRYABLE = new Set(['40001', '40P01', '23503', '23505']);
const MAX_TRIES = 4;

/** How to wait for others: for a workspace whose contacts somebody merges or freezes, and how long for one row. */
type Waiting = { waits: boolean; rowMs?: number };

/** Stores a group of events in one transaction; a copy of an event that is already there changes nothing. */
export async function storeEvents(
  events: readonly StoredEvent[],
  dependencies: StoreDependencies,
  { rowMs }: { rowMs?: number } = {},
): Promise<void> {
  await storeGroup(events, dependencies, { waits: true, ...(rowMs !== undefined && { rowMs }) });
}

/**
 * The same without waiting for a workspace whose contacts somebody merges or freezes: answers with the events that would have to. Fails
 * when somebody keeps one of its rows for longer than `rowMs`.
 */
export function storeFreeEvents(
  events: readonly StoredEvent[],
  dependencies: StoreDependencies,
  { rowMs }: { rowMs: number },
): Promise<readonly StoredEvent[]> {
  return storeGroup(events, dependencies, { waits: false, rowMs });
}

async function storeGroup(
  events: readonly StoredEvent[],
  dependencies: StoreDependencies,
  waiting: Waiting,
): Promise<readonly StoredEvent[]> {
  const mustOwn = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { waits, rowMs } = waiting;
      return await changeAcrossWorkspaces(
        dependencies,
        'webhooks',
        (across) => storeAll(across, { events, mustOwn, ...waiting }, dependencies),
        // Who waits for workspaces waits for them as long as it takes, and begins to count with the rows.
        waits || rowMs === undefined ? undefined : { lockMs: rowMs },
      );
    } catch (error) {
      if (error instanceof WorkspaceNotOwned && !mustOwn.has(error.workspaceId)) {
        mustOwn.add(error.workspaceId);
        continue;
      }
      if (attempt >= MAX_TRIES || !RETRYABLE.has(databaseCode(error) ?? '')) throw error;
    }
  }
}

async function storeAll(
  { client, scopeOf }: { client: pg.PoolClient; scopeOf: ScopeOf },
  {
    events,
    mustOwn,
    waits,
    rowMs,
  }: Waiting & { events: readonly StoredEvent[]; mustOwn: ReadonlySet<string> },
  {
    channelKinds,
    clock,
    jobs,
    joinContacts: joinAny,
    knownRuns,
    onAccountVerdict,
    onAgentState,
    onTemplateEvent,
    secrets,
  }: StoreDependencies,
): Promise<StoredEvent[]> {
  const now = clock().getTime();
  const people = await readPeople(client, events, { mustOwn, waits, now });
  if (waits && rowMs !== undefined) await client.query(`SET LOCAL lock_timeout = ${rowMs}`);
  const left = events.filter((event) => people.left.has(event));
  const { statuses, reports, messages, others } = sortEvents(
    left.length === 0 ? events : events.filter((event) => !people.left.has(event)),
    now,
  );
  const created: ContactRef[] = [];
  const finding = {
    ...{ joinContacts: joinWithin(people, joinAny, scopeOf), secrets },
    onAdded: (added: readonly ContactRef[]) => void created.push(...added),
  };
  const applied = await applyStatuses(
    client,
    statuses.map((report) => asReport(report, channelKinds)),
    knownRuns,
  );
  await emitRuns(
    client,
    (_, workspaceId, fact, cause) => scopeOf(workspaceId, cause).emit(fact),
    applied.pausedRuns,
  );
  others.push(...applied.unmatched.flatMap((place) => statuses[place] ?? []));
  await lockPeople(client, people);
  // Before anybody becomes a contact in this group.
  await suppressUnknown(client, secrets, applied.ofNobody);

  const fresh = await keepEvents(client, await deleteErased(client, secrets, others), now);
  // Before the messages, so that what somebody writes from a new number finds its contact.
  const moved = await storeIdentities(client, { events: fresh, finding, now });
  const named = await storeNames(client, { events: fresh, finding });
  const kept = await deleteErased(client, secrets, messages);
  const { arrived, words, noted, files } = await storeMessages(client, {
    ...{ messages: kept, channelKinds, finding, now },
    locked: new Set(people.contactIds),
  });
  for (const [workspaceId, own] of Map.groupBy(files, (file) => file.workspaceId))
    await enqueueFetches(
      jobs,
      scopeOf(workspaceId),
      own.map(({ id }) => id),
    );
  const wished = await readWishes(client, { events: fresh, finding, now });
  const said = [...words, ...wished.words];
  await changeConsent(client, said);
  const newWishes = await findNewWishes(client, said);
  await suppressUnknown(client, secrets, wished.ofNobody);
  const isFresh = new Set(fresh);
  for (const stored of others)
    if (isTemplateEvent(stored.event))
      await onTemplateEvent(scopeOf(stored.workspaceId), stored.event, !isFresh.has(stored));
  for (const { event, workspaceId, channelId } of fresh)
    if (isQualityDrop(event))
      await guardNumber(client, (_, __, fact, cause) => scopeOf(workspaceId, cause).emit(fact), {
        // Its older notices come when it is as poor as can be.
        ...{ workspaceId, channelId, displayName: event.displayName, quality: 'red' },
        at: new Date(event.occurredAt || now),
      });
  for (const { event, workspaceId, channelId } of fresh)
    if (event.type === 'number_event' && event.agentState && channelId !== null)
      await onAgentState(jobs, scopeOf(workspaceId), {
        ...{ channelId, state: event.agentState, at: new Date(event.occurredAt || now) },
      });
  for (const { event, workspaceId, kind } of fresh)
    if (event.type === 'account_event' && event.verdict !== null)
      await onAccountVerdict(scopeOf(workspaceId), channelKinds, {
        ...{ kind, account: event.account, verdict: event.verdict },
        at: new Date(event.occurredAt || now),
      });
  // Messages come after contacts, as everybody locks them.
  const reported = await applyMessageStatuses(
    client,
    reports.map((report) => asReport(report, channelKinds)),
    now,
  );
  await emitRuns(
    client,
    (_, workspaceId, fact, cause) => scopeOf(workspaceId, cause).emit(fact),
    reported.pausedRuns,
  );
  const unknown = reported.unmatched.flatMap((place) => reports[place] ?? []);
  await keepEvents(client, await deleteErased(client, secrets, unknown), now);
  await emitInbound(scopeOf, {
    created,
    arrived,
    noted,
    reported: reported.changed,
    said: [...applied.said, ...newWishes],
    changed: [...applied.held, ...moved, ...named, ...wished.held],
  });
  return left;
}

type Sorted = {
  statuses: (StoredEvent & { event: MessageStatusReported })[];
  /** Of single messages. */
  reports: (StoredEvent & { event: MessageStatusReported })[];
  messages: OwnedMessage[];
  others: StoredEvent[];
};

function sortEvents(events: readonly StoredEvent[], now: number): Sorted {
  const sorted: Sorted = { statuses: [], reports: [], messages: [], others: [] };
  for (const { event: arrived, ...of } of events) {
    const { channelId } = of;
    const occurredAt = readEventTime(arrived.occurredAt, now);
    const event = occurredAt === arrived.occurredAt ? arrived : { ...arrived, occurredAt };
    if (event.type === 'message_status' && event.tag !== null) {
      const isSingle = isOfMessage(event);
      (isSingle ? sorted.reports : sorted.statuses).push({ ...of, event });
      // What it says of the person is read as that of any other message.
      if (isSingle && event.action !== null) sorted.others.push({ ...of, event });
    } else if (event.type === 'message_received' && channelId !== null)
      sorted.messages.push({ ...of, channelId, event });
    else sorted.others.push({ ...of, event });
  }
  return sorted;
}

function asReport({ event, workspaceId, kind, channelId }: Sorted['statuses'][number], kinds: ChannelKinds) {
  const signsAlone = kinds.find(kind)?.webhooks.signedBy === 'channel';
  return { ...event, workspaceId, provenBy: { kind, channelId: signsAlone ? channelId : null } };
}

function isTemplateEvent(event: InboundEvent): event is TemplateEvent {
  return event.type.startsWith('template_');
}
