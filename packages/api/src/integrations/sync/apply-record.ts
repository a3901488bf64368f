import type { RecordError, RunCount } from '@app/domain/integrations/integration-rules';
import { addContact, changeContact } from '../../contacts/contact-changes.ts';
import { recordConsent } from '../../contacts/contact-history.ts';
import { findContact, type Contact } from '../../contacts/contacts-queries.ts';
import type { CustomInput } from '../../custom-fields/custom-values.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { fingerprintOf, isYes, readOurs, readTheirs, type Sync } from './open-sync.ts';
import { planRecord, type OurValues, type RecordRow } from './plan-record.ts';

export type Applied = {
  counted: RunCount[];
  contact: Contact | null;
  /** What the vendor is to take over, by our names; null for nothing. */
  send: OurValues | null;
  sendOptOut: boolean;
};

/** What the database refuses of one record, such as a text that no row can hold, is an error of that record; its neighbours go on. */
export async function applyAlone(scope: WorkspaceScope, sync: Sync, row: RecordRow): Promise<Applied> {
  await scope.query('SAVEPOINT of_record', []);
  try {
    const applied = await applyRecord(scope, sync, row);
    await scope.query('RELEASE SAVEPOINT of_record', []);
    return applied;
  } catch (error) {
    const code = codeOf(error);
    if (!/^2[23]/.test(code)) throw error;
    await scope.query('ROLLBACK TO SAVEPOINT of_record', []);
    return fail(scope, row, 'value_invalid', code);
  }
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

/** Does what the plan of a record says, and stores what both sides agree on. The row of the record is locked. */
async function applyRecord(scope: WorkspaceScope, sync: Sync, row: RecordRow): Promise<Applied> {
  const plan = await planRecord(scope, sync, row);
  switch (plan.action) {
    case 'failed':
      return fail(scope, row, plan.error, plan.detail);
    case 'removed':
      // The contact stays.
      await settle(scope, row, { contactId: row.contact_id, version: null, base: null, saysOptOut: false });
      return { counted: ['removed'], contact: null, send: null, sendOptOut: false };
    case 'skipped':
      await settle(scope, row, {
        ...{ contactId: row.contact_id, version: null, base: row.base, saysOptOut: row.said_opt_out },
      });
      return { counted: ['skipped'], contact: null, send: null, sendOptOut: false };
    case 'created': {
      const { phone, name, email, language } = plan.values;
      const added = await addContact(scope, sync.secrets, {
        ...{ name: name ?? email ?? phone ?? '', phone: phone ?? '', email: email ?? null },
        ...{ language: language ?? null, tags: [], status: 'active' },
        customFields: customOf(sync, plan.values),
      });
      if (typeof added === 'string') return fail(scope, row, errorOf(added), null);
      if (!('id' in added)) return fail(scope, row, 'value_invalid', added.key);
      const contact = await optInIf(scope, sync, row, await optOutIf(scope, sync, added, plan.optOut));
      await settleMerged(scope, sync, row, contact, { send: {}, unread: plan.unread, sendOptOut: false });
      const counted: RunCount[] = ['created', ...(plan.optOut ? (['optedOut'] as const) : [])];
      return { counted, contact, send: null, sendOptOut: false };
    }
    default: {
      let { contact } = plan;
      if (Object.keys(plan.values).length > 0) {
        const changed = await changeContact(scope, sync.secrets, {
          ...{ contactId: contact.id, version: contact.version },
          ...changesOf(sync, plan.values),
        });
        if (typeof changed === 'string') return fail(scope, row, errorOf(changed), null);
        if (!('id' in changed)) return fail(scope, row, 'value_invalid', changed.key);
        contact = changed;
      }
      contact = await optInIf(scope, sync, row, await optOutIf(scope, sync, contact, plan.optOut));
      const hasToSend = Object.keys(plan.send).length > 0 || plan.sendOptOut;
      await settleMerged(scope, sync, row, contact, plan);
      const counted: RunCount[] = [plan.action, ...(plan.optOut ? (['optedOut'] as const) : [])];
      return { counted, contact, send: hasToSend ? plan.send : null, sendOptOut: plan.sendOptOut };
    }
  }
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

/** An opt-in counts where a person decided so, with the time and the place that the service knows; anything else is no opt-in. The newest consent holds. */
async function optInIf(
  scope: WorkspaceScope,
  { kind, integration }: Sync,
  row: RecordRow,
  contact: Contact,
): Promise<Contact> {
  const fields = kind.contacts?.optIn;
  if (!fields || !integration.takes_opt_ins) return contact;
  const [at, source] = [new Date(row.remote_values[fields.at] ?? ''), row.remote_values[fields.source]];
  if (Number.isNaN(at.getTime()) || at > scope.clock() || !source) return contact;
  const { rowCount: isKnown } = await scope.query(
    `SELECT FROM contact_consents WHERE workspace_id = $1 AND contact_id = $2 AND kind = 'opt_in' AND occurred_at >= $3 LIMIT 1`,
    [scope.workspaceId, contact.id, at],
  );
  if (isKnown) return contact;
  await recordConsent(scope, {
    ...{ contactId: contact.id, kind: 'opt_in', text: `${kind.title}: ${source}`, occurredAt: at },
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

function errorOf(code: string): RecordError {
  if (code === 'contact_phone_taken') return 'phone_taken';
  if (code === 'contact_phone_invalid') return 'phone_invalid';
  return code === 'contact_erased' ? 'contact_erased' : 'value_invalid';
}

/** Leaves a record as it is, with the reason. */
async function fail(
  scope: WorkspaceScope,
  { id }: Pick<RecordRow, 'id'>,
  error: RecordError,
  detail: string | null,
): Promise<Applied> {
  await scope.query(
    `UPDATE integration_records SET is_pending = false, error = $3, error_detail = $4, error_side = 'in', error_at = $5, tries = tries + 1
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, error, detail?.slice(0, 300) ?? null, scope.clock()],
  );
  return { counted: ['failed'], contact: null, send: null, sendOptOut: false };
}

/** What both sides have is the base of the next sync; of a field that is yet to be sent the base stays, so that it is known as our change. */
async function settleMerged(
  scope: WorkspaceScope,
  sync: Sync,
  row: RecordRow,
  contact: Contact,
  { send, unread, sendOptOut }: { send: OurValues; unread: string | null; sendOptOut: boolean },
): Promise<void> {
  const base: Record<string, string> = {};
  for (const { ours, theirs } of sync.mapping) {
    if (ours === 'opt_out') continue;
    const isAgreed =
      !Object.hasOwn(send, ours) &&
      Object.hasOwn(row.remote_values, theirs) &&
      readTheirs(sync, ours, row.remote_values[theirs]) !== undefined;
    const known = isAgreed ? fingerprintOf(sync, ours, readOurs(contact, ours)) : row.base?.[ours];
    if (known !== undefined) base[ours] = known;
  }
  const isSettled = Object.keys(send).length === 0 && !sendOptOut;
  await settle(scope, row, {
    ...{ contactId: contact.id, version: isSettled ? contact.version : null, base },
    saysOptOut: sync.optOutField !== undefined && isYes(row.remote_values[sync.optOutField]),
  });
  if (unread !== null)
    await scope.query(
      `UPDATE integration_records SET error = 'value_invalid', error_detail = $3, error_side = 'in', error_at = $4, tries = tries + 1
        WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, row.id, unread, scope.clock()],
    );
}

async function settle(
  scope: WorkspaceScope,
  { id }: RecordRow,
  {
    contactId,
    version,
    base,
    saysOptOut,
  }: {
    contactId: string | null;
    version: number | null;
    base: Record<string, string> | null;
    saysOptOut: boolean;
  },
): Promise<void> {
  // A contact that waited to be sent for the first time has a record of its own now.
  if (contactId !== null)
    await scope.query(
      `DELETE FROM integration_records r USING integration_records own
        WHERE own.workspace_id = $1 AND own.id = $2 AND r.workspace_id = $1 AND r.integration_id = own.integration_id
          AND r.contact_id = $3 AND r.external_id IS NULL`,
      [scope.workspaceId, id, contactId],
    );
  // No copy of the values stays.
  await scope.query(
    `UPDATE integration_records SET is_pending = false, contact_id = $3, contact_version = $4, base = $5, said_opt_out = $6, remote_values = NULL,
            error = NULL, error_detail = NULL, error_side = NULL, error_at = NULL, tries = 0
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, contactId, version, base && JSON.stringify(base), saysOptOut],
  );
}
