import type { RecordError, RunCount } from '@app/domain/integrations/integration-rules';
import { addContacts, type NewContact } from '../../contacts/add-contacts.ts';
import { changeContact, changeContacts } from '../../contacts/contact-changes.ts';
import { recordConsents, type SaidOf } from '../../contacts/contact-history.ts';
import type { Contact } from '../../contacts/contacts-queries.ts';
import type { CustomInput } from '../../custom-fields/custom-values.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { Sync } from './open-sync.ts';
import { contactOf, optsOut, type OurValues, type RecordPlan } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';
import {
  failAll,
  settleAll,
  settledOf,
  settledWithout,
  type Failed,
  type Settled,
} from './settle-records.ts';

export type Planned = { row: RecordRow; plan: RecordPlan };
type WithContact = { row: RecordRow; plan: Extract<RecordPlan, { contact: Contact }> };
type Creating = { row: RecordRow; plan: Extract<RecordPlan, { action: 'created' }> };
type Problem = { error: RecordError; detail: string | null };
type Outcome = Contact | Problem;
type Said = Omit<SaidOf, 'source'> & { row: RecordRow };

/** What the service is to take over from a contact, by our names. */
export type ToSend = { row: RecordRow; contact: Contact; send: OurValues; sendOptOut: boolean };

/** The contact to whom a plan writes, if it does. */
export function findChanging(scope: WorkspaceScope, sync: Sync, { row, plan }: Planned): Contact | null {
  const isChanging =
    optsOut(plan) ||
    ('contact' in plan &&
      (Object.keys(plan.values).length > 0 || readOptIn(sync, row, scope.clock()) !== null));
  return isChanging ? contactOf(plan) : null;
}

/**
 * Does what the plans of records say, and stores what both sides agree on. The rows of the records and the contacts that change are locked, and no two
 * plans name one contact. `areFree`: nobody has one of the new numbers, and they are locked.
 */
export async function applyAll(
  scope: WorkspaceScope,
  sync: Sync,
  planned: readonly Planned[],
  { areFree }: { areFree: boolean },
): Promise<{ counted: RunCount[]; toSend: ToSend[] }> {
  const known = planned.filter((one): one is WithContact => 'contact' in one.plan);
  const creating = planned.filter((one): one is Creating => one.plan.action === 'created');
  const outcomes = new Map([
    ...(await changeKnown(scope, sync, known)),
    ...(await addNew(scope, sync, creating, areFree)),
  ]);
  const said = await recordWords(scope, sync, planned, outcomes);
  const counted: RunCount[] = [];
  const toSend: ToSend[] = [];
  const failed: Failed[] = [];
  const settled: Settled[] = [];
  const settledNew: Settled[] = [];
  for (const { row, plan } of planned) {
    const isOut = optsOut(plan) && said.has(row.id);
    if (isOut) counted.push('optedOut');
    const fail = ({ error, detail }: Problem) => {
      counted.push('failed');
      failed.push({ id: row.id, error, detail, saysOptOut: isOut });
    };
    if (plan.action === 'failed') {
      fail(plan);
      continue;
    }
    if (!('optOut' in plan)) {
      counted.push(plan.action);
      settled.push(settledWithout(row, plan.action));
      continue;
    }
    const outcome = outcomes.get(row.id)!; // each has a contact by now, or the reason why it has none
    if ('error' in outcome) {
      fail(outcome);
      continue;
    }
    counted.push(plan.action);
    const contact = said.get(row.id) ?? outcome;
    if (plan.action === 'created')
      settledNew.push(settledOf(sync, row, contact, { ...plan, send: {}, kept: [], sendOptOut: false }));
    else {
      settled.push(settledOf(sync, row, contact, plan));
      if (hasToSend(plan)) toSend.push({ row, contact, send: plan.send, sendOptOut: plan.sendOptOut });
    }
  }
  await settleAll(scope, settled);
  await settleAll(scope, settledNew, { areNew: true });
  await failAll(scope, failed);
  return { counted, toSend };
}

/** What became of each contact who is here, by the ids of the records. */
async function changeKnown(
  scope: WorkspaceScope,
  sync: Sync,
  known: readonly WithContact[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>(known.map(({ row, plan }) => [row.id, plan.contact]));
  const changing = known.filter(({ plan }) => Object.keys(plan.values).length > 0);
  const change = ({ plan: { contact, values } }: WithContact) => ({
    ...{ contactId: contact.id, version: contact.version },
    ...changesOf(sync, values),
  });
  const isMoving = ({ plan }: WithContact) => typeof plan.values['phone'] === 'string';
  const together = changing.filter((one) => !isMoving(one));
  const changed = await changeContacts(scope, together.map(change));
  for (const [place, { row }] of together.entries()) outcomes.set(row.id, outcomeOf(changed[place]!)); // one for each
  for (const one of changing.filter(isMoving)) {
    const phone = one.plan.values['phone']!; // a text, as asked above
    outcomes.set(one.row.id, outcomeOf(await changeContact(scope, sync.secrets, { ...change(one), phone })));
  }
  return outcomes;
}

/** What became of each contact who is new, by the ids of the records. */
async function addNew(
  scope: WorkspaceScope,
  sync: Sync,
  creating: readonly Creating[],
  areFree: boolean,
): Promise<Map<string, Outcome>> {
  const wanted = creating.map(({ plan }) => newContactOf(sync, plan.values));
  const added = await addContacts(scope, sync.secrets, wanted, { areFree });
  return new Map(creating.map(({ row }, place) => [row.id, outcomeOf(added[place]!)])); // one for each
}

function outcomeOf(outcome: Contact | { code: string; key: string } | string): Outcome {
  if (typeof outcome === 'string') return { error: errorOf(outcome), detail: null };
  return 'code' in outcome ? { error: 'value_invalid', detail: outcome.key } : outcome;
}

function errorOf(code: string): RecordError {
  if (code === 'contact_phone_taken') return 'phone_taken';
  if (code === 'contact_phone_invalid') return 'phone_invalid';
  return code === 'contact_erased' ? 'contact_erased' : 'value_invalid';
}

/** Whether the service is to take anything over. */
const hasToSend = ({ send, sendOptOut }: { send: OurValues; sendOptOut: boolean }): boolean =>
  Object.keys(send).length > 0 || sendOptOut;

/** Records what the service says of consent. Answers with the contacts of whom something was recorded, by the ids of the records. */
async function recordWords(
  scope: WorkspaceScope,
  sync: Sync,
  planned: readonly Planned[],
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<Map<string, Contact>> {
  const { title } = sync.kind;
  const optOuts: Said[] = [];
  const optIns: Said[] = [];
  for (const { row, plan } of planned) {
    const outcome = outcomes.get(row.id);
    const settled = outcome && !('error' in outcome) ? outcome : null;
    // An opt-out holds also where the rest of its record cannot be taken over.
    const contact = settled ?? contactOf(plan);
    // When it was said there nobody knows: it counts from now, so that nothing that was said before outdoes it.
    if (contact && optsOut(plan))
      optOuts.push({ row, contact, kind: 'opt_out', text: title, occurredAt: scope.clock() });
    const optIn = settled && readOptIn(sync, row, scope.clock());
    if (optIn) {
      const text = `${title}: ${optIn.source}`;
      optIns.push({ row, contact: settled, kind: 'opt_in', text, occurredAt: optIn.at });
    }
  }
  const said = new Map<string, Contact>();
  // The newest consent holds.
  for (const words of [optOuts, await withoutKnown(scope, optIns)]) {
    const contacts = await recordConsents(
      scope,
      words.map(({ contact, kind, text, occurredAt }) => ({
        ...{ contact, kind, text, occurredAt, source: 'integration' },
      })),
    );
    for (const { row, contact } of words) said.set(row.id, contacts.get(contact.id) ?? contact);
  }
  return said;
}

/** An opt-in counts where a person decided so, with the time and the place that the service knows; anything else is no opt-in. */
function readOptIn(
  { kind, integration }: Sync,
  row: RecordRow,
  now: Date,
): { at: Date; source: string } | null {
  const fields = kind.contacts?.optIn;
  if (!fields || !integration.takes_opt_ins) return null;
  const [at, source] = [new Date(row.remote_values[fields.at] ?? ''), row.remote_values[fields.source]];
  return Number.isNaN(at.getTime()) || at > now || !source ? null : { at, source };
}

/** Without those of contacts who have an opt-in of that time, or a newer one. */
async function withoutKnown(scope: WorkspaceScope, optIns: readonly Said[]): Promise<Said[]> {
  if (optIns.length === 0) return [];
  const { rows } = await scope.query<{ id: string }>(
    `SELECT n.id FROM unnest($2::uuid[], $3::timestamptz[]) AS n (id, at)
      WHERE EXISTS (SELECT FROM contact_consents c
        WHERE c.workspace_id = $1 AND c.contact_id = n.id AND c.kind = 'opt_in' AND c.occurred_at >= n.at)`,
    [scope.workspaceId, optIns.map(({ contact }) => contact.id), optIns.map(({ occurredAt }) => occurredAt)],
  );
  const known = new Set(rows.map(({ id }) => id));
  return optIns.filter(({ contact }) => !known.has(contact.id));
}

/** A record without a name is called by its address, or by its number. */
function newContactOf(sync: Sync, values: OurValues): NewContact {
  const { phone, name, email, language } = values;
  return {
    ...{ name: name ?? email ?? phone ?? '', phone: phone ?? '', email: email ?? null },
    ...{ language: language ?? null, tags: [], status: 'active' },
    customFields: customOf(sync, values),
  };
}

/** Changes of a contact, its number apart. */
function changesOf(sync: Sync, values: OurValues) {
  const { name, email, language } = values;
  return {
    ...(typeof name === 'string' && { name }),
    ...(email !== undefined && { email }),
    ...(language !== undefined && { language }),
    customFields: customOf(sync, values),
  };
}

function customOf({ customFields }: Sync, values: OurValues): CustomInput {
  return Object.fromEntries(
    Object.entries(values).flatMap(([ours, value]) => {
      const field = customFields.find(({ key }) => ours === `custom.${key}`);
      return field ? [[field.key, value] as const] : [];
    }),
  );
}
