import type { RunCount, RunCounts } from '@app/domain/integrations/integration-rules';
import { addContacts } from '../../contacts/add-contacts.ts';
import { recordConsents } from '../../contacts/contact-history.ts';
import type { Contact } from '../../contacts/contacts-queries.ts';
import { lockIdentifiers } from '../../platform/erased-people.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import {
  applyAlone,
  errorOf,
  hasToSend,
  lockOutdated,
  newContactOf,
  readOptIn,
  unlessRefused,
} from './apply-record.ts';
import type { Room } from './contact-room.ts';
import { findMatches } from './find-matches.ts';
import type { Sync } from './open-sync.ts';
import { planRecord, readValues, type OurValues, type RecordPlan } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';
import { failAll, holdAll, settleAll, settledOf, settledWithout, type Settled } from './settle-records.ts';

type Planned = { row: RecordRow; plan: RecordPlan };
type Creating = { row: RecordRow; plan: Extract<RecordPlan, { action: 'created' }> };

/** What the service is to take over from a contact, by our names. */
export type ToSend = { row: RecordRow; contact: Contact; send: OurValues; sendOptOut: boolean };
export type AppliedPage = { counts: Partial<RunCounts>; toSend: ToSend[] };

/**
 * Applies records whose rows are locked, with a number of statements that does not depend on how many they are: those of which a new contact is made,
 * those that change nothing here, and those that bring only an opt-out. What is left, such as a contact that changes or a number that two of them have,
 * is applied one by one. One that the database refuses never takes its neighbours along.
 */
export async function applyPage(
  scope: WorkspaceScope,
  sync: Sync,
  rows: readonly RecordRow[],
  room: Room,
): Promise<AppliedPage> {
  // Other transactions that add or erase one of these numbers wait. All lock in one order, so that no two wait for each other.
  await lockIdentifiers(scope, scope.workspaceId, numbersOf(sync, rows));
  const find = await findMatches(scope, sync, rows);
  const planned = rows.map((row) => ({ row, plan: planRecord(find, sync, row) }));
  const outdated = await lockOutdated(
    scope,
    optingOut(planned).map(({ plan }) => plan.contact),
  );
  const isAlone = ({ row, plan }: Planned): boolean => {
    if (find.isShared(row) || readOptIn(sync, row, scope.clock())) return true;
    return 'contact' in plan && (Object.keys(plan.values).length > 0 || outdated.has(plan.contact.id));
  };
  const alone = planned.filter(isAlone).map(({ row }) => row);
  const together = planned.filter((one) => !isAlone(one));
  const applied: AppliedPage = { counts: {}, toSend: [] };
  alone.push(...(await applyTogether(scope, sync, together, { room, applied })));
  for (const row of alone) {
    const { counted, contact, send, sendOptOut } = await applyAlone(scope, sync, row, room);
    count(applied.counts, counted);
    if (contact && send) applied.toSend.push({ row, contact, send, sendOptOut });
  }
  return applied;
}

/** Answers with those that have to be applied alone. Where the database refuses one of them, they are parted until it is found. */
async function applyTogether(
  scope: WorkspaceScope,
  sync: Sync,
  planned: readonly Planned[],
  { room, applied }: { room: Room; applied: AppliedPage },
): Promise<RecordRow[]> {
  const [first] = planned;
  if (!first) return [];
  if (planned.length === 1) return [first.row];
  const creating = creatingOf(planned);
  const held = creating.slice(Math.min(creating.length, room.left()));
  const isHeld = new Set(held.map(({ row }) => row.id));
  const wanted = planned.filter(({ row }) => !isHeld.has(row.id));
  const done = await unlessRefused(scope, () => applyAll(scope, sync, wanted));
  if ('refusedFor' in done) {
    const half = Math.ceil(planned.length / 2);
    return [
      ...(await applyTogether(scope, sync, planned.slice(0, half), { room, applied })),
      ...(await applyTogether(scope, sync, planned.slice(half), { room, applied })),
    ];
  }
  await holdAll(
    scope,
    held.map(({ row }) => row),
  );
  applied.toSend.push(...done.toSend);
  count(applied.counts, done.counted);
  for (const _ of held) count(applied.counts, ['held']);
  for (const name of done.counted) if (name === 'created') room.take();
  return [];
}

async function applyAll(
  scope: WorkspaceScope,
  sync: Sync,
  planned: readonly Planned[],
): Promise<{ counted: RunCount[]; toSend: ToSend[] }> {
  const failed: Parameters<typeof failAll>[1][number][] = [];
  const settled: Settled[] = [];
  const counted: RunCount[] = [];
  const toSend: ToSend[] = [];
  const said = await optOut(
    scope,
    sync,
    optingOut(planned).map(({ plan }) => plan.contact),
  );
  for (const { row, plan } of planned) {
    if (plan.action === 'created') continue;
    if (plan.action === 'failed') failed.push({ id: row.id, error: plan.error, detail: plan.detail });
    else if ('contact' in plan) {
      const contact = said.get(plan.contact.id) ?? plan.contact;
      settled.push(settledOf(sync, row, contact, plan));
      if (hasToSend(plan)) toSend.push({ row, contact, send: plan.send, sendOptOut: plan.sendOptOut });
    } else settled.push(settledWithout(row, plan.action));
    counted.push(plan.action, ...('contact' in plan && plan.optOut ? (['optedOut'] as const) : []));
  }
  const creating = creatingOf(planned);
  const outcomes = await addContacts(
    scope,
    sync.secrets,
    creating.map(({ plan }) => newContactOf(sync, plan.values)),
    // `applyPage` locked the numbers of the page before it looked for them.
    { areFree: true },
  );
  const added = creating.flatMap((one, place) => {
    const outcome = outcomes[place]!; // one for each
    if (typeof outcome === 'object' && 'id' in outcome) return [{ ...one, contact: outcome }];
    const problem =
      typeof outcome === 'string'
        ? { error: errorOf(outcome), detail: null }
        : { error: 'value_invalid' as const, detail: outcome.key };
    failed.push({ id: one.row.id, ...problem });
    counted.push('failed');
    return [];
  });
  const contacts = await optOut(
    scope,
    sync,
    added.filter(({ plan }) => plan.optOut).map(({ contact }) => contact),
  );
  const settledNew: Settled[] = [];
  for (const { row, plan, contact } of added) {
    const known = contacts.get(contact.id) ?? contact;
    settledNew.push(settledOf(sync, row, known, { ...plan, send: {}, kept: [], sendOptOut: false }));
    counted.push('created', ...(plan.optOut ? (['optedOut'] as const) : []));
  }
  await settleAll(scope, settled);
  await settleAll(scope, settledNew, { areNew: true });
  await failAll(scope, failed);
  return { counted, toSend };
}

/** When it was said there nobody knows: it counts from now, so that nothing that was said before outdoes it. */
function optOut(
  scope: WorkspaceScope,
  { kind }: Sync,
  contacts: readonly Contact[],
): Promise<Map<string, Contact>> {
  const word = { kind: 'opt_out', text: kind.title, occurredAt: scope.clock() } as const;
  return recordConsents(scope, contacts, word);
}

type OptingOut = { row: RecordRow; plan: Extract<RecordPlan, { contact: Contact }> };

/** Records that bring the opt-out of a contact who is here. */
function optingOut(planned: readonly Planned[]): OptingOut[] {
  return planned.flatMap(({ row, plan }) => ('contact' in plan && plan.optOut ? [{ row, plan }] : []));
}

function creatingOf(planned: readonly Planned[]): Creating[] {
  return planned.flatMap(({ row, plan }) => (plan.action === 'created' ? [{ row, plan }] : []));
}

function numbersOf(sync: Sync, rows: readonly RecordRow[]): string[] {
  return rows.flatMap((row) => readValues(sync, row).values['phone'] ?? []);
}

export function count(counts: Partial<RunCounts>, names: readonly RunCount[]): void {
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
}
