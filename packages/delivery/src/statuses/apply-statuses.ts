import { holdContacts, holdUntil, type ContactHold } from '@app/database/contacts/hold-contacts';
import { changeConsent, type ConsentWord, type SaidOfNobody } from '@app/database/contacts/change-consent';
import { isInOther, type RunMessage } from '@app/domain/delivery/run-message';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { readConsentTime } from '@app/domain/messaging/event-time';
import {
  aggregateStatuses,
  type RecipientReport,
  type ReportProof,
  type StatusReport,
} from '../core/aggregate-statuses.ts';
import { chargeOfRecipient, takeChargesAgain } from '../pace/budget.ts';
import { pauseRunFor, stopChannel } from '../run-controls.ts';
import { type ArrayItem, writeArray } from '../sql-array.ts';
import type { SqlClient } from '../sql-client.ts';
import { readCausesOfRuns, type EmitDelivery } from '../emit-runs.ts';
import { KnownRuns } from './known-runs.ts';

export type AppliedStatuses = {
  /** Reports that found their recipient, doubles included. */
  matched: number;
  /** Places in the batch of reports that belong to no recipient: replies, bots, other programs, deleted runs. */
  unmatched: number[];
  /** What failures say of people whose contact is gone. */
  ofNobody: SaidOfNobody[];
  /** What failures say of contacts: whoever has the transaction tells it, together with what else arrived. */
  said: ConsentWord[];
  held: Person[];
  /** The runs that failures paused. */
  pausedRuns: number[];
};

type Person = { workspaceId: string; contactId: string };
type Acted = Pick<AppliedStatuses, 'ofNobody' | 'said' | 'held' | 'pausedRuns'>;
const nothingActed: Acted = { ofNobody: [], said: [], held: [], pausedRuns: [] };

/**
 * Stores a batch of status reports, derives each recipient's status and moves the counters, all in the caller's transaction
 * (system scope). Doubled and reordered reports change nothing twice. A report proves that the platform accepted the
 * message, whatever was known before. Whoever applies many batches keeps the known runs from one to the next.
 */
export async function applyStatuses(
  client: SqlClient,
  reports: readonly StatusReport[],
  known = new KnownRuns(),
): Promise<AppliedStatuses> {
  const unproven = await findUnproven(client, reports, known);
  const proven =
    unproven.size === 0
      ? reports
      : reports.map((report, place) => (unproven.has(place) ? { ...report, tag: null } : report));
  const { recipients, foreign } = aggregateStatuses(proven, Date.now());
  if (recipients.length === 0) return { matched: 0, unmatched: foreign, ...nothingActed };
  const unmatched = [...foreign];
  const acting: RecipientReport[] = [];
  for (const group of groupByRun(recipients)) {
    const { missing, newlyFailed, mayOwe } = await applyToRun(client, group);
    await returnFree(client, group);
    if (mayOwe) await takeOwed(client, group);
    for (const recipient of group) {
      if (missing.has(recipient.seq)) unmatched.push(...recipient.indexes);
      else if (recipient.action && newlyFailed.has(recipient.seq)) acting.push(recipient);
    }
  }
  const acted = await applyFailureActions(client, acting);
  return { matched: reports.length - unmatched.length, unmatched, ...acted };
}

/** Places of reports that the secret of another channel signed than the one through which their run is sent. */
async function findUnproven(
  client: SqlClient,
  reports: readonly StatusReport[],
  known: KnownRuns,
): Promise<ReadonlySet<number>> {
  const told: { place: number; runNo: number; provenBy: ReportProof }[] = [];
  const runNos = new Set<number>();
  for (const [place, { tag, provenBy }] of reports.entries()) {
    const runNo = tag === null || !provenBy ? undefined : parseDeliveryTag(tag)?.runNo;
    if (runNo === undefined || !provenBy) continue;
    told.push({ place, runNo, provenBy });
    runNos.add(runNo);
  }
  const channels = await known.read(client, [...runNos]);
  const isProven = ({ runNo, provenBy }: (typeof told)[number]) => {
    const channel = channels.get(runNo);
    const isChannel = provenBy.channelId === null || provenBy.channelId === channel?.channelId;
    return channel === undefined || (channel.kind === provenBy.kind && isChannel);
  };
  return new Set(told.flatMap((one) => (isProven(one) ? [] : [one.place])));
}

/** In the order of runs, in which every writer locks them. */
function groupByRun(recipients: readonly RecipientReport[]): RecipientReport[][] {
  const groups = new Map<string, RecipientReport[]>();
  for (const recipient of recipients) {
    const key = `${recipient.runNo} ${recipient.workspaceId}`;
    const group = groups.get(key);
    if (group) group.push(recipient);
    else groups.set(key, [recipient]);
  }
  return [...groups.values()];
}

/**
 * Tells the recipients that this run of this workspace does not have, those whose failure nobody knew before, and whether anything of the
 * workspace's budget was given back for failures.
 */
async function applyToRun(
  client: SqlClient,
  group: readonly RecipientReport[],
): Promise<{ missing: Set<number>; newlyFailed: Set<number>; mayOwe: boolean }> {
  const column = (pick: (recipient: RecipientReport) => ArrayItem): string => writeArray(group.map(pick));
  const { rows } = await client.query<{
    missing: number[] | null;
    newly_failed: number[] | null;
    may_owe: boolean;
  }>({
    name: 'delivery_apply_statuses',
    text: `SELECT missing, newly_failed, may_owe_charges($2) AS may_owe FROM apply_status_reports($1, $2, $3::integer[], $4::text[], $5::double precision[], $6::double precision[],
      $7::double precision[], $8::double precision[], $9::text[], $10::text[])`,
    values: [
      group[0]?.runNo,
      group[0]?.workspaceId,
      column((r) => r.seq),
      column((r) => r.messageId),
      column((r) => r.sentAt),
      column((r) => r.deliveredAt),
      column((r) => r.readAt),
      column((r) => r.failedAt),
      column((r) => r.error?.code ?? null),
      column((r) => r.error?.details ?? r.error?.title ?? null),
    ],
  });
  return {
    missing: new Set(rows[0]?.missing),
    newlyFailed: new Set(rows[0]?.newly_failed),
    mayOwe: rows[0]?.may_owe ?? false,
  };
}

/** Gives back what tries had taken of the budget that cost nothing: the platform says so, or they failed and nobody got them. */
async function returnFree(client: SqlClient, group: readonly RecipientReport[]): Promise<void> {
  const tries = group.flatMap(({ runNo, seq, freeAttempts, failedAttempts }) => [
    ...freeAttempts.map((attempt) => ({
      ref: chargeOfRecipient(runNo, seq, attempt),
      seq,
      hasFailed: false,
    })),
    ...failedAttempts.map((attempt) => ({
      ref: chargeOfRecipient(runNo, seq, attempt),
      seq,
      hasFailed: true,
    })),
  ]);
  if (tries.length === 0) return;
  const column = (pick: (of: (typeof tries)[number]) => ArrayItem): string => writeArray(tries.map(pick));
  await client.query(
    `SELECT return_charges($2, array_agg(t.ref), CASE WHEN t.has_failed THEN 'failure' ELSE 'free' END)
       FROM unnest($3::text[], $4::integer[], $5::boolean[]) AS t (ref, seq, has_failed)
      WHERE NOT t.has_failed OR NOT EXISTS (SELECT FROM delivery_recipients r
        WHERE r.run_no = $1 AND r.seq = t.seq AND coalesce(r.delivered_at, r.read_at) IS NOT NULL)
      GROUP BY t.has_failed`,
    [
      group[0]?.runNo,
      group[0]?.workspaceId,
      column((t) => t.ref),
      column((t) => t.seq),
      column((t) => t.hasFailed),
    ],
  );
}

/** What was taken for failed, and somebody has: it is charged after all. */
async function takeOwed(client: SqlClient, group: readonly RecipientReport[]): Promise<void> {
  const refs = group.flatMap(({ runNo, seq, arrivedAttempts }) =>
    arrivedAttempts.map((attempt) => chargeOfRecipient(runNo, seq, attempt)),
  );
  await takeChargesAgain(client, group[0]?.workspaceId ?? '', refs);
}

/** Contacts come after all recipients, as everybody locks them, and all at once, so that the database puts them in everybody's order. */
async function applyFailureActions(client: SqlClient, acting: readonly RecipientReport[]): Promise<Acted> {
  if (acting.length === 0) return nothingActed;
  const concerned = acting.filter(
    ({ action }) => action?.kind === 'opt_out' || action?.kind === 'hold_recipient',
  );
  const people = await findRecipients(client, concerned);
  const optOuts: ConsentWord[] = [];
  const holds: ContactHold[] = [];
  const said: ConsentWord[] = [];
  const held: Person[] = [];
  const ofNobody: SaidOfNobody[] = [];
  for (const [place, recipient] of concerned.entries()) {
    const { action } = recipient;
    const person = people[place];
    if (!person) continue;
    const nobody = { workspaceId: person.workspaceId, identifiers: [person.address] };
    if (action?.kind === 'opt_out') {
      const word = optOutOf(person, recipient.failureSaidAt);
      optOuts.push(word);
      if (person.isGone) ofNobody.push({ ...nobody, word, holdUntil: null });
      else said.push(word);
    }
    if (action?.kind === 'hold_recipient') {
      const hold = { ...person, hours: action.hours, from: failureTime(recipient) };
      holds.push(hold);
      if (person.isGone) ofNobody.push({ ...nobody, word: null, holdUntil: holdUntil(hold) });
      else held.push(person);
    }
  }
  await changeConsent(client, optOuts);
  await holdContacts(client, holds);
  const paused = await pauseAfterFailures(client, acting);
  return { ofNobody, said, held, pausedRuns: [...new Set(paused)] };
}

type Stop = RecipientReport & {
  action: Extract<RejectionAction, { kind: 'stop_campaign' | 'stop_channel' }>;
};

/** Each run and each number is paused once, by the newest that was said: who resumed in between knew of the others. */
async function pauseAfterFailures(client: SqlClient, acting: readonly RecipientReport[]): Promise<number[]> {
  const stops = acting.filter(
    (recipient): recipient is Stop => recipient.action?.kind.startsWith('stop_') ?? false,
  );
  if (stops.length === 0) return [];
  const others = await findOthers(client, stops);
  const paused: number[] = [];
  const newest = new Map<string, Stop>();
  for (const stop of stops) {
    const { action, runNo, seq } = stop;
    if (action.kind === 'stop_campaign' && !action.ofAccount && others.has(`${runNo}.${seq}`)) continue;
    const key = action.kind === 'stop_campaign' ? `${runNo}` : `${runNo} ${action.blocks}`;
    const known = newest.get(key);
    if (!known || failureTime(stop) > failureTime(known)) newest.set(key, stop);
  }
  for (const stop of newest.values()) {
    const { action, error, runNo } = stop;
    const at = failureTime(stop);
    const code = error?.code ?? 'unknown';
    const detail = error?.details ?? error?.title ?? '';
    if (action.kind === 'stop_campaign') {
      const isPaused = await pauseRunFor(client, runNo, { reason: 'campaign_stopped', code, detail, at });
      if (isPaused) paused.push(runNo);
      continue;
    }
    const { rows } = await client.query<{ channel_id: string }>(
      'SELECT channel_id FROM delivery_runs WHERE run_no = $1',
      [runNo],
    );
    const { blocks } = action;
    if (rows[0])
      paused.push(...(await stopChannel(client, rows[0].channel_id, { code, detail, blocks, at })));
  }
  return paused;
}

/** Who got another language, or another variant, than their campaign was chosen in, as `run.place`: what stops that one stops nobody else. */
async function findOthers(client: SqlClient, stops: readonly Stop[]): Promise<Set<string>> {
  const asked = stops.filter(({ action }) => action.kind === 'stop_campaign' && !action.ofAccount);
  const others = new Set<string>();
  for (const runNo of new Set(asked.map((stop) => stop.runNo))) {
    const seqs = asked.filter((stop) => stop.runNo === runNo).map(({ seq }) => seq);
    const { rows } = await client.query<{
      message: RunMessage;
      places: { seq: number; language: string | null; variant: number | null }[];
    }>(
      `SELECT run.message, (SELECT coalesce(json_agg(json_build_object('seq', r.seq, 'language', r.language, 'variant', coalesce(r.variant, run.winner))), '[]') FROM delivery_recipients r
          WHERE r.run_no = $1 AND r.seq = ANY ($2::integer[])) AS places
         FROM delivery_runs run WHERE run.run_no = $1 AND run.message ?| '{inLanguages,variants}'`,
      [runNo, seqs],
    );
    const [run] = rows;
    for (const { seq, language, variant } of run?.places ?? [])
      if (run && (variant || isInOther(run.message, language))) others.add(`${runNo}.${seq}`);
  }
  return others;
}

/** As the platform says, but never after now: a clock that is ahead would outlast what a person does next. */
function failureTime({ failedAt }: RecipientReport): Date {
  return new Date(Math.min(failedAt ?? Infinity, Date.now()));
}

/** Which recipient, and how to tell what becomes of its contact. */
type Refused = { runNo: number; seq: number; emit: EmitDelivery };

/** The person stopped marketing on the platform's side, as it answers now. Call it inside a transaction, as the next. */
export async function recordOptOut(client: SqlClient, { emit, ...place }: Refused): Promise<void> {
  const [person] = await findRecipients(client, [place]);
  if (!person) return;
  await changeConsent(client, [optOutOf(person, 0)]);
  if (person.isGone) return;
  const values = { optedOut: [person.contactId], optedIn: [] };
  await emit(
    client,
    person.workspaceId,
    { type: 'consents.said', subject: null, values },
    await causeOf(client, place.runNo),
  );
}

/** No marketing to this person for some hours; earlier tries would extend the platform's block. */
export async function holdRecipient(
  client: SqlClient,
  { emit, ...place }: Refused,
  hours: number,
): Promise<void> {
  const [person] = await findRecipients(client, [place]);
  if (!person) return;
  await holdContacts(client, [{ ...person, hours, from: new Date() }]);
  if (person.isGone) return;
  const values = { contactIds: [person.contactId] };
  await emit(
    client,
    person.workspaceId,
    { type: 'contacts.platform_changed', subject: null, values },
    await causeOf(client, place.runNo),
  );
}

async function causeOf(client: SqlClient, runNo: number) {
  return (await readCausesOfRuns(client, [runNo])).get(runNo) ?? null;
}

/** `isGone` when the contact was deleted and nobody has its number since. */
type Recipient = { workspaceId: string; contactId: string; address: string; isGone: boolean };

function optOutOf({ address, workspaceId, contactId }: Recipient, occurredAt: number): ConsentWord {
  const { at, saidAt } = readConsentTime('opt_out', occurredAt, Date.now());
  return {
    ...{ workspaceId, contactId, kind: 'opt_out', source: 'person', sender: address },
    ...{ at: new Date(at), saidAt: saidAt === null ? null : new Date(saidAt) },
  };
}

/** One answer per place, in their order: the contact, or the one that has its number since it was deleted; undefined where nobody was known. */
async function findRecipients(
  client: SqlClient,
  places: readonly { runNo: number; seq: number }[],
): Promise<(Recipient | undefined)[]> {
  if (places.length === 0) return [];
  const { rows } = await client.query<Recipient & { place: number }>(
    `SELECT p.place::int - 1 AS place, r.workspace_id AS "workspaceId", r.address,
            coalesce(known.id, r.contact_id) AS "contactId", known.id IS NULL AS "isGone"
       FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS p (run_no, seq, place)
       JOIN delivery_recipients r USING (run_no, seq)
      CROSS JOIN LATERAL (
        SELECT coalesce((SELECT c.id FROM contacts c WHERE c.id = r.contact_id),
          (SELECT c.id FROM contacts c WHERE c.workspace_id = r.workspace_id AND c.phone = r.address)) AS id) AS known
      WHERE r.contact_id IS NOT NULL`,
    [places.map(({ runNo }) => runNo), places.map(({ seq }) => seq)],
  );
  const found: (Recipient | undefined)[] = places.map(() => undefined);
  for (const { place, ...recipient } of rows) found[place] = recipient;
  return found;
}
