import type { RecordError, RunCount } from '@app/domain/integrations/integration-rules';
import { addContacts, type NewContact } from '../../contacts/add-contacts.ts';
import { changeContact } from '../../contacts/contact-changes.ts';
import { recordConsent } from '../../contacts/contact-history.ts';
import { findContact, type Contact } from '../../contacts/contacts-queries.ts';
import type { CustomInput } from '../../custom-fields/custom-values.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { Room } from './contact-room.ts';
import { findMatches } from './find-matches.ts';
import type { Sync } from './open-sync.ts';
import { planRecord, type OurValues } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';
import { failAll, holdAll, settleAll, settledOf, settledWithout } from './settle-records.ts';

export type Applied = {
  counted: RunCount[];
  contact: Contact | null;
  /** What the vendor is to take over, by our names; null for nothing. */
  send: OurValues | null;
  sendOptOut: boolean;
};

/** What the database refuses of one record, such as a text that no row can hold, is an error of that record; its neighbours go on. */
export async function applyAlone(
  scope: WorkspaceScope,
  sync: Sync,
  row: RecordRow,
  room: Room,
): Promise<Applied> {
  const applied = await unlessRefused(scope, () => applyRecord(scope, sync, row, room));
  return 'refusedFor' in applied ? fail(scope, row, 'value_invalid', applied.refusedFor) : applied;
}

/** Undoes what the database refused because of its data, and says the code; every other error goes on. */
export async function unlessRefused<Result extends object>(
  scope: WorkspaceScope,
  work: () => Promise<Result>,
): Promise<Result | { refusedFor: string }> {
  await scope.query('SAVEPOINT of_records', []);
  try {
    const result = await work();
    await scope.query('RELEASE SAVEPOINT of_records', []);
    return result;
  } catch (error) {
    const code = codeOf(error);
    if (!/^2[23]/.test(code)) throw error;
    await scope.query('ROLLBACK TO SAVEPOINT of_records', []);
    await scope.query('RELEASE SAVEPOINT of_records', []);
    return { refusedFor: code };
  }
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

const nothing = { contact: null, send: null, sendOptOut: false };

/** Does what the plan of a record says, and stores what both sides agree on. The row of the record is locked. */
async function applyRecord(scope: WorkspaceScope, sync: Sync, row: RecordRow, room: Room): Promise<Applied> {
  const plan = planRecord(await findMatches(scope, sync, [row]), sync, row);
  switch (plan.action) {
    case 'failed':
      return fail(scope, row, plan.error, plan.detail);
    case 'removed':
    case 'skipped':
    case 'filtered':
      await settleAll(scope, [settledWithout(row, plan.action)]);
      return { ...nothing, counted: [plan.action] };
    case 'created': {
      if (!room.take()) {
        await holdAll(scope, [row]);
        return { ...nothing, counted: ['held'] };
      }
      const [added] = await addContacts(scope, sync.secrets, [newContactOf(sync, plan.values)]);
      if (typeof added === 'string') return fail(scope, row, errorOf(added), null);
      if (!added || 'code' in added) return fail(scope, row, 'value_invalid', added?.key ?? null);
      const contact = await optInIf(scope, sync, row, await optOutIf(scope, sync, added, plan.optOut));
      await settleAll(scope, [
        settledOf(sync, row, contact, { ...plan, send: {}, kept: [], sendOptOut: false }),
      ]);
      return { ...nothing, counted: ['created', ...(plan.optOut ? (['optedOut'] as const) : [])], contact };
    }
    default: {
      let { contact } = plan;
      const hasValues = Object.keys(plan.values).length > 0;
      const hasConsent = plan.optOut || readOptIn(sync, row, scope.clock()) !== null;
      // A person was faster: the contact is compared as it is now. Otherwise their edit would count as agreed.
      if ((hasValues || hasConsent) && (await lockOutdated(scope, [contact])).size > 0)
        return applyRecord(scope, sync, row, room);
      if (hasValues) {
        const changed = await changeContact(scope, sync.secrets, {
          ...{ contactId: contact.id, version: contact.version },
          ...changesOf(sync, plan.values),
        });
        if (typeof changed === 'string') return fail(scope, row, errorOf(changed), null);
        if (!('id' in changed)) return fail(scope, row, 'value_invalid', changed.key);
        contact = changed;
      }
      contact = await optInIf(scope, sync, row, await optOutIf(scope, sync, contact, plan.optOut));
      await settleAll(scope, [settledOf(sync, row, contact, plan)]);
      const counted: RunCount[] = [plan.action, ...(plan.optOut ? (['optedOut'] as const) : [])];
      return { counted, contact, send: hasToSend(plan) ? plan.send : null, sendOptOut: plan.sendOptOut };
    }
  }
}

/** Whether the service is to take anything over. */
export const hasToSend = ({ send, sendOptOut }: { send: OurValues; sendOptOut: boolean }): boolean =>
  Object.keys(send).length > 0 || sendOptOut;

/** Locks contacts that are about to change, all in one order. Answers with those that are not as they were read. */
export async function lockOutdated(
  scope: WorkspaceScope,
  contacts: readonly Contact[],
): Promise<ReadonlySet<string>> {
  if (contacts.length === 0) return new Set();
  const { rows } = await scope.query<{ id: string; version: number }>(
    `SELECT id, version FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [scope.workspaceId, contacts.map(({ id }) => id)],
  );
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return new Set(contacts.filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id));
}

/** A record without a name is called by its address, or by its number. */
export function newContactOf(sync: Sync, values: OurValues): NewContact {
  const { phone, name, email, language } = values;
  return {
    ...{ name: name ?? email ?? phone ?? '', phone: phone ?? '', email: email ?? null },
    ...{ language: language ?? null, tags: [], status: 'active' },
    customFields: customOf(sync, values),
  };
}

async function optOutIf(
  scope: WorkspaceScope,
  { kind }: Sync,
  contact: Contact,
  isOptedOut: boolean,
): Promise<Contact> {
  if (!isOptedOut) return contact;
  // When it was said there nobody knows: it counts from now, so that nothing that was said before outdoes it.
  await recordConsent(scope, {
    ...{ contactId: contact.id, kind: 'opt_out', text: kind.title, occurredAt: scope.clock() },
  });
  return (await findContact(scope, contact.id)) ?? contact;
}

/** An opt-in counts where a person decided so, with the time and the place that the service knows; anything else is no opt-in. */
export function readOptIn(
  { kind, integration }: Sync,
  row: RecordRow,
  now: Date,
): { at: Date; source: string } | null {
  const fields = kind.contacts?.optIn;
  if (!fields || !integration.takes_opt_ins) return null;
  const [at, source] = [new Date(row.remote_values[fields.at] ?? ''), row.remote_values[fields.source]];
  return Number.isNaN(at.getTime()) || at > now || !source ? null : { at, source };
}

/** The newest consent holds. */
async function optInIf(
  scope: WorkspaceScope,
  sync: Sync,
  row: RecordRow,
  contact: Contact,
): Promise<Contact> {
  const optIn = readOptIn(sync, row, scope.clock());
  if (!optIn) return contact;
  const { at, source } = optIn;
  const { rowCount: isKnown } = await scope.query(
    `SELECT FROM contact_consents WHERE workspace_id = $1 AND contact_id = $2 AND kind = 'opt_in' AND occurred_at >= $3 LIMIT 1`,
    [scope.workspaceId, contact.id, at],
  );
  if (isKnown) return contact;
  await recordConsent(scope, {
    ...{ contactId: contact.id, kind: 'opt_in', text: `${sync.kind.title}: ${source}`, occurredAt: at },
  });
  return (await findContact(scope, contact.id)) ?? contact;
}

function changesOf(sync: Sync, values: OurValues) {
  const { name, phone, email, language, ...rest } = values;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof phone === 'string' && { phone }),
    ...(email !== undefined && { email }),
    ...(language !== undefined && { language }),
    customFields: customOf(sync, rest),
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

export function errorOf(code: string): RecordError {
  if (code === 'contact_phone_taken') return 'phone_taken';
  if (code === 'contact_phone_invalid') return 'phone_invalid';
  return code === 'contact_erased' ? 'contact_erased' : 'value_invalid';
}

async function fail(
  scope: WorkspaceScope,
  { id }: Pick<RecordRow, 'id'>,
  error: RecordError,
  detail: string | null,
): Promise<Applied> {
  await failAll(scope, [{ id, error, detail }]);
  return { ...nothing, counted: ['failed'] };
}
