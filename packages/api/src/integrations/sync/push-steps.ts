import { newId } from '@app/database/new-id';
import type { PushedRecord, PushOutcome, RemoteRecord } from '@app/domain/integrations/contact-connector';
import { integrationLimits, type RunCounts } from '@app/domain/integrations/integration-rules';
import { readContacts } from '../../contacts/add-contacts.ts';
import type { Contact } from '../../contacts/contacts-queries.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { wordsOf } from '../../platform/connectors/words-of.ts';
import type { RunRow } from '../integration-rows.ts';
import { applyPage } from './apply-page.ts';
import { readRoom } from './contact-room.ts';
import { fingerprintOf, phoneKeyOf, readOurs, writeTheirs, type Sync } from './open-sync.ts';
import type { OurValues } from './plan-record.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-row.ts';
import { add, storeRecords, type InScope, type StepResult } from './read-steps.ts';
import { finishRun, lockRun, storeProgress } from './sync-runs.ts';

const NEXT: StepResult = { ok: true, value: 'next' };
const ENDED: StepResult = { ok: true, value: 'ended' };

/** A contact whose record differs, or that has none yet. */
type Candidate = { contact: Contact; recordId: string | null; externalId: string | null };

/** One write that is about to leave. `send` are our names. */
type Outgoing = {
  contact: Contact;
  recordId: string | null;
  externalId: string | null;
  send: OurValues;
  sendOptOut: boolean;
};

const OF_RECORD = `LEFT JOIN integration_records r ON r.workspace_id = c.workspace_id AND r.integration_id = $2 AND r.contact_id = c.id AND NOT r.is_gone`;
/** Linked and not the same on both sides, or of the selection that is created there. */
const DIFFERS = `((r.external_id IS NOT NULL AND NOT r.is_pending AND r.contact_version IS DISTINCT FROM c.version)
  OR (r.external_id IS NULL AND $3 AND c.phone IS NOT NULL AND ($4::text IS NULL OR $4 = ANY (c.tags))
      AND NOT EXISTS (SELECT FROM integration_records g WHERE g.workspace_id = c.workspace_id AND g.integration_id = $2
                         AND g.contact_id = c.id AND g.is_gone)))`;

/** Of a preview: how many contacts would be created there. Ends the run. */
export async function endPreviewStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return;
    const { rows } = await scope.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM contacts c ${OF_RECORD}
        WHERE c.workspace_id = $1 AND r.id IS NULL AND ${DIFFERS}`,
      [scope.workspaceId, sync.integration.id, sync.integration.creates_there, sync.integration.creates_tag],
    );
    // Beyond the room of the plan nobody is added.
    const held = Math.max(0, run.counts.created - (await readRoom(scope)).left());
    const counts = add(run.counts, { sentNew: rows[0]?.n ?? 0, created: -held, held });
    await finishRun(scope, sync.integration, run, counts);
  });
  return ENDED;
}

/**
 * Sends the next contacts. What the vendor has by now is read first, so that an edit there in the meantime is not written over; what was sent
 * is stored afterwards. A process that dies in between sends the same values once more, which changes nothing there.
 */
export async function pushStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  const { candidates, last } = await inScope((scope) => findCandidates(scope, sync, run.place));
  if (last === null) {
    await inScope(async (scope) => {
      if (await lockRun(scope, run)) await finishRun(scope, sync.integration, run, run.counts);
    });
    return ENDED;
  }
  const ids = candidates.flatMap(({ externalId }) => externalId ?? []);
  const fresh = candidates.filter(({ externalId }) => externalId === null);
  const read = ids.length > 0 ? await sync.contacts.fetch(ids, sync.fields) : DONE;
  if (!read.ok) return read;
  const found = fresh.length > 0 ? await sync.contacts.find(keysOf(fresh), sync.fields) : DONE;
  if (!found.ok) return found;

  const outgoing = await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return null;
    const updates = await mergeLinked(scope, sync, candidates, read.value);
    const created = await keepUnknown(scope, sync, fresh, found.value);
    return { ...created, leaving: [...updates, ...created.leaving] };
  });
  if (outgoing === null) return NEXT;
  const { leaving, refused, counts: linked } = outgoing;
  const pushed =
    leaving.length > 0 ? await sync.contacts.push(leaving.map((one) => written(sync, one))) : DONE_PUSH;
  if (!pushed.ok) return pushed;
  await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return;
    const counts = add(add(run.counts, linked), await settlePushed(scope, sync, leaving, pushed.value));
    await storeProgress(scope, run.id, {
      phase: 'push',
      place: last,
      counts: add(counts, { sendFailed: refused }),
    });
  });
  return NEXT;
}

const DONE = { ok: true, value: [] as readonly RemoteRecord[] } as const;
const DONE_PUSH = { ok: true, value: [] as readonly PushOutcome[] } as const;

async function findCandidates(
  scope: ReadScope,
  { integration }: Sync,
  after: string | null,
): Promise<{ candidates: Candidate[]; last: string | null }> {
  const { rows } = await scope.query<{ id: string; record_id: string | null; external_id: string | null }>(
    `SELECT c.id, r.id AS record_id, r.external_id FROM contacts c ${OF_RECORD}
      WHERE c.workspace_id = $1 AND ($5::uuid IS NULL OR c.id > $5) AND ${DIFFERS} ORDER BY c.id LIMIT $6`,
    [
      ...[scope.workspaceId, integration.id, integration.creates_there, integration.creates_tag],
      ...[after, integrationLimits.step],
    ],
  );
  const contacts = await readContacts(
    scope,
    rows.map(({ id }) => id),
  );
  return {
    candidates: rows.flatMap(({ id, record_id: recordId, external_id: externalId }) => {
      const contact = contacts.get(id);
      return contact ? [{ contact, recordId, externalId }] : [];
    }),
    last: rows.at(-1)?.id ?? null,
  };
}

/** Takes over what changed there, and answers with what is to be sent. */
async function mergeLinked(
  scope: WorkspaceScope,
  sync: Sync,
  candidates: readonly Candidate[],
  records: readonly RemoteRecord[],
): Promise<Outgoing[]> {
  const known = candidates.filter(({ externalId }) => externalId !== null);
  if (known.length === 0) return [];
  const there = new Set(records.map(({ id }) => id));
  const gone = known
    .filter(({ externalId }) => !there.has(externalId!)) // filtered above
    .map(({ externalId: id }) => ({
      ...{ id: id!, isDeleted: true, values: {}, updatedAt: new Date(0), editedAt: new Date(0) },
    }));
  await storeRecords(scope, sync, [...records, ...gone], { isAsked: true });
  const { leaving } = await applyStored(
    scope,
    sync,
    known.map(({ externalId }) => externalId!), // filtered above
  );
  return leaving;
}

/** Applies records that were read just now. Those of which a new contact would be made are left to the next run. Answers with what is to be sent. */
async function applyStored(
  scope: WorkspaceScope,
  sync: Sync,
  externalIds: readonly string[],
): Promise<{ leaving: Outgoing[]; counts: Partial<RunCounts> }> {
  const { rows } = await scope.query<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND external_id = ANY ($3) AND is_pending AND remote_values IS NOT NULL
      ORDER BY id FOR UPDATE`,
    [scope.workspaceId, sync.integration.id, externalIds],
  );
  const { toSend, counts } = await applyPage(scope, sync, rows, null);
  const leaving = toSend.map(({ row, ...one }) => ({
    ...{ ...one, recordId: row.id, externalId: row.external_id },
  }));
  return { leaving, counts };
}

/**
 * Those that the vendor has not. What it has and nobody knew here, such as after a write whose answer was lost, is linked at once: an edit that follows
 * is then known to be one. `refused`: how many it can have only once.
 */
async function keepUnknown(
  scope: WorkspaceScope,
  sync: Sync,
  fresh: readonly Candidate[],
  found: readonly RemoteRecord[],
): Promise<{ leaving: Outgoing[]; refused: number; counts: Partial<RunCounts> }> {
  const { rows } = await scope.query<{ external_id: string; contact_id: string | null }>(
    `SELECT external_id, contact_id FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND external_id = ANY ($3)`,
    [scope.workspaceId, sync.integration.id, found.map(({ id }) => id)],
  );
  const linkedTo = new Map(rows.map((row) => [row.external_id, row.contact_id]));
  const unheard = found.filter(({ id }) => !linkedTo.has(id));
  await storeRecords(scope, sync, unheard, { isAsked: true });
  const free = found.filter(({ id }) => !linkedTo.get(id));
  const [phoneField, emailField] = ['phone', 'email'].map(
    (name) => sync.mapping.find(({ ours }) => ours === name)?.theirs ?? '',
  );
  const phones = new Set(free.flatMap(({ values }) => phoneKeyOf(sync, values[phoneField!]) ?? [])); // two names above
  const addressOf = ({ values }: RemoteRecord) => values[emailField!]?.toLowerCase() ?? [];
  const emails = new Set(free.flatMap(addressOf));
  // A number that a record has which is left as it is, because it is not clear whose it is.
  const { rows: unclear } = await scope.query<{ phone_key: string }>(
    `SELECT phone_key FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND contact_id IS NULL AND NOT is_gone AND phone_key = ANY ($3)`,
    [
      ...[scope.workspaceId, sync.integration.id],
      fresh.flatMap(({ contact }) => phoneKeyOf(sync, contact.phone) ?? []),
    ],
  );
  for (const { phone_key: key } of unclear) phones.add(key);
  const unknown = fresh.filter(({ contact: { phone, email } }) => {
    const key = phoneKeyOf(sync, phone);
    return !(key !== null && phones.has(key)) && !(email !== null && emails.has(email.toLowerCase()));
  });
  const taken = new Set(found.filter(({ id }) => linkedTo.get(id)).flatMap(addressOf));
  const second = sync.kind.contacts?.isByEmail ? unknown.filter((one) => isTaken(one, taken)) : [];
  for (const one of second) await failToSend(scope, sync, one, 'email_shared', null);
  const leaving = unknown
    .filter((one) => !second.includes(one))
    .map(({ contact, recordId }) => ({
      ...{ contact, recordId, externalId: null, sendOptOut: contact.optedOutAt !== null },
      send: Object.fromEntries(
        sync.mapping
          .filter(({ ours, direction }) => ours !== 'opt_out' && direction !== 'in')
          .map(({ ours }) => [ours, readOurs(contact, ours)] as const)
          .filter(([, value]) => value !== null),
      ),
    }));
  const linked = await applyStored(
    scope,
    sync,
    unheard.map(({ id }) => id),
  );
  return { leaving: [...leaving, ...linked.leaving], refused: second.length, counts: linked.counts };
}

/** Whether another contact has this address there, or is about to. */
function isTaken({ contact: { email } }: Candidate, taken: Set<string>): boolean {
  const address = email?.toLowerCase();
  if (address === undefined || taken.has(address)) return address !== undefined;
  taken.add(address);
  return false;
}

function written(sync: Sync, { contact, externalId, send, sendOptOut }: Outgoing): PushedRecord {
  const values: Record<string, string | null> = {};
  for (const pair of sync.mapping)
    if (Object.hasOwn(send, pair.ours))
      values[pair.theirs] = writeTheirs(sync, pair, send[pair.ours] ?? null);
  // Only ever set: no sync takes an opt-out back.
  if (sendOptOut && sync.optOutField !== undefined) values[sync.optOutField] = 'true';
  const isIdentified = externalId === null || Object.hasOwn(send, 'phone');
  return { externalId, phone: isIdentified ? contact.phone : null, values };
}

/** What both sides agree on now. A contact that was changed in the meantime stays different, and is sent again by the next run. */
async function settlePushed(
  scope: WorkspaceScope,
  sync: Sync,
  outgoing: readonly Outgoing[],
  outcomes: readonly PushOutcome[],
): Promise<Partial<RunCounts>> {
  const counts = { sent: 0, sentNew: 0, sendFailed: 0 };
  const sent: Outgoing[] = [];
  const created: Created[] = [];
  for (const [place, one] of outgoing.entries()) {
    const outcome = outcomes[place] ?? { ok: false, detail: 'no_answer' };
    if (!outcome.ok) {
      await failToSend(scope, sync, one, 'vendor_rejected', outcome.detail);
      counts.sendFailed += 1;
    } else if (one.externalId === null) created.push({ ...one, externalId: outcome.externalId });
    else sent.push(one);
  }
  await storeSent(scope, sync, sent);
  const stored = await storeCreated(scope, sync, created);
  for (const one of created)
    if (!stored.has(one.contact.id)) {
      await failToSend(scope, sync, one, 'contact_linked', one.externalId);
      counts.sendFailed += 1;
    }
  return { ...counts, sent: sent.length, sentNew: stored.size };
}

type Created = Outgoing & { externalId: string };

const settledRow = (sync: Sync, { contact, send, sendOptOut }: Outgoing) => ({
  contact: contact.id,
  version: contact.version,
  base: Object.fromEntries(
    Object.keys(send).map((ours) => [ours, fingerprintOf(sync, ours, readOurs(contact, ours))]),
  ),
  says: sendOptOut,
});

async function storeSent(scope: WorkspaceScope, sync: Sync, sent: readonly Outgoing[]): Promise<void> {
  if (sent.length === 0) return;
  const rows = sent.map((one) => ({
    ...settledRow(sync, one),
    id: one.recordId,
    phone_key: Object.hasOwn(one.send, 'phone') ? phoneKeyOf(sync, one.contact.phone) : null,
  }));
  await scope.query(
    `UPDATE integration_records r SET base = coalesce(r.base, '{}') || n.base, contact_version = n.version, said_opt_out = r.said_opt_out OR n.says,
            phone_key = coalesce(n.phone_key, r.phone_key)
       FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, version integer, base jsonb, says boolean, phone_key text)
      WHERE r.workspace_id = $1 AND r.id = n.id`,
    [scope.workspaceId, JSON.stringify(rows)],
  );
}

/** Answers with the contacts that have a record now. Not those where the service answered with a record that belongs to another contact. */
async function storeCreated(
  scope: WorkspaceScope,
  sync: Sync,
  created: readonly Created[],
): Promise<ReadonlySet<string>> {
  if (created.length === 0) return new Set();
  const { id: integrationId } = sync.integration;
  await scope.query(
    `DELETE FROM integration_records WHERE workspace_id = $1 AND integration_id = $2 AND contact_id = ANY ($3::uuid[]) AND external_id IS NULL`,
    [scope.workspaceId, integrationId, created.map(({ contact }) => contact.id)],
  );
  const rows = created.map((one) => ({
    ...settledRow(sync, one),
    ...{ id: newId(), external_id: one.externalId, phone_key: phoneKeyOf(sync, one.contact.phone) },
  }));
  const { rows: stored } = await scope.query<{ contact_id: string }>(
    `INSERT INTO integration_records AS r (workspace_id, integration_id, id, external_id, contact_id, phone_key, base, said_opt_out, contact_version)
     SELECT DISTINCT ON (n.external_id) $1::uuid, $2::uuid, n.id, n.external_id, n.contact, n.phone_key, n.base, n.says, n.version
       FROM jsonb_to_recordset($3::jsonb)
         AS n (id uuid, external_id text, contact uuid, phone_key text, base jsonb, says boolean, version integer)
      ORDER BY n.external_id, n.id
     ON CONFLICT (workspace_id, integration_id, external_id) DO UPDATE SET
       contact_id = excluded.contact_id, base = excluded.base, said_opt_out = excluded.said_opt_out, contact_version = excluded.contact_version,
       is_gone = false, error = NULL, error_detail = NULL, error_side = NULL, error_at = NULL, tries = 0
     WHERE r.contact_id IS NULL OR r.contact_id = excluded.contact_id
     RETURNING contact_id`,
    [scope.workspaceId, integrationId, JSON.stringify(rows)],
  );
  return new Set(stored.map(({ contact_id: id }) => id));
}

/** The next run tries it again, because the contact still differs. */
async function failToSend(
  scope: WorkspaceScope,
  sync: Sync,
  { contact, recordId }: Pick<Outgoing, 'contact' | 'recordId'>,
  error: 'vendor_rejected' | 'contact_linked' | 'email_shared',
  detail: string | null,
): Promise<void> {
  await scope.query(
    `INSERT INTO integration_records AS r (workspace_id, integration_id, id, contact_id, error, error_detail, error_side, error_at, tries)
     VALUES ($1, $2, $3, $4, $5, $6, 'out', $7, 1)
     ON CONFLICT (workspace_id, id) DO UPDATE SET error = excluded.error, error_detail = excluded.error_detail, error_side = 'out',
       error_at = excluded.error_at, tries = r.tries + 1, contact_version = NULL`,
    [
      ...[scope.workspaceId, sync.integration.id, recordId ?? newId(), contact.id, error],
      ...[wordsOf(detail?.slice(0, 300) ?? null), scope.clock()],
    ],
  );
}

function keysOf(fresh: readonly Candidate[]): { phones: string[]; emails: string[] } {
  return {
    phones: fresh.flatMap(({ contact }) => contact.phone ?? []),
    emails: fresh.flatMap(({ contact }) => contact.email ?? []),
  };
}
