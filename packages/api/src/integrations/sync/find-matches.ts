import { identityOfNumber, spellingsOf } from '@app/domain/contacts/number-spellings';
import { readContacts } from '../../contacts/add-contacts.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { Sync } from './open-sync.ts';
import { readValues, type Finder } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';

/** Reads what these records need, with a constant number of statements. */
export async function findMatches(scope: ReadScope, sync: Sync, rows: readonly RecordRow[]): Promise<Finder> {
  const read = new Map(rows.map((row) => [row.id, readValues(sync, row).values]));
  const loose = rows.filter((row) => row.contact_id === null && !row.is_gone);
  const phones = [...new Set(loose.flatMap(({ id }) => read.get(id)?.['phone'] ?? []))];
  const emails = [...new Set(loose.flatMap(({ id }) => read.get(id)?.['email']?.toLowerCase() ?? []))];
  const byPhone = await findPhones(scope, phones);
  const byEmail = await findEmails(scope, emails);
  const contacts = await readContacts(scope, [
    ...new Set([
      ...rows.flatMap(({ contact_id: id }) => id ?? []),
      ...byPhone.values(),
      ...[...byEmail.values()].flat(),
    ]),
  ]);
  const linked = await findLinked(scope, sync, [...contacts.keys()]);
  const sharing = await findSharing(scope, sync, rows);
  const keys = Map.groupBy(
    rows.flatMap((row) => keysOf(read.get(row.id) ?? {}, row).map((key) => ({ key, id: row.id }))),
    ({ key }) => key,
  );
  const known = (id: string | undefined) => (id === undefined ? null : (contacts.get(id) ?? null));
  return {
    contact: known,
    sharing: ({ phone_key: key, id }) =>
      key === null ? null : (sharing.get(key)?.find((one) => one.id !== id)?.external_id ?? null),
    byPhone: (phone) => known(byPhone.get(phone)),
    byEmail: (email) => (byEmail.get(email.toLowerCase()) ?? []).flatMap((id) => known(id) ?? []),
    linkedTo: (contactId) => linked.get(contactId) ?? null,
    isShared: (row) => keysOf(read.get(row.id) ?? {}, row).some((key) => (keys.get(key)?.length ?? 0) > 1),
  };
}

function keysOf(values: Record<string, string | null | undefined>, row: RecordRow): string[] {
  const { phone, email } = values;
  return [
    ...(phone ? [`phone ${identityOfNumber(phone)}`] : []),
    ...(email ? [`email ${email.toLowerCase()}`] : []),
    ...(row.contact_id === null ? [] : [`contact ${row.contact_id}`]),
  ];
}

async function findPhones(scope: ReadScope, phones: readonly string[]): Promise<Map<string, string>> {
  const spelled = phones.flatMap((phone) => spellingsOf(phone).map((spelling) => ({ phone, spelling })));
  if (spelled.length === 0) return new Map();
  const { rows } = await scope.query<{ phone: string; id: string }>(
    `SELECT DISTINCT ON (phone) phone, id FROM (
       SELECT s.phone, c.id, c.phone <> s.phone AS is_other, false AS is_alias
         FROM unnest($2::text[], $3::text[]) AS s (phone, spelling) JOIN contacts c ON c.workspace_id = $1 AND c.phone = s.spelling
       UNION ALL
       SELECT s.phone, o.id, true, true
         FROM unnest($2::text[], $3::text[]) AS s (phone, spelling)
         JOIN contact_aliases a ON a.workspace_id = $1 AND a.identifier = s.spelling AND a.until IS NULL
         JOIN contacts o ON o.id = a.contact_id) AS found
      ORDER BY phone, is_alias, is_other`,
    [scope.workspaceId, spelled.map(({ phone }) => phone), spelled.map(({ spelling }) => spelling)],
  );
  return new Map(rows.map(({ phone, id }) => [phone, id]));
}

/** At most two of each address. */
async function findEmails(scope: ReadScope, emails: readonly string[]): Promise<Map<string, string[]>> {
  if (emails.length === 0) return new Map();
  const { rows } = await scope.query<{ email: string; id: string }>(
    `SELECT e.email, c.id FROM unnest($2::text[]) AS e (email)
      CROSS JOIN LATERAL (SELECT id FROM contacts
        WHERE workspace_id = $1 AND email_hash = hashtextextended(lower(e.email), 0) AND lower(email) = lower(e.email) ORDER BY id LIMIT 2) AS c`,
    [scope.workspaceId, emails],
  );
  return new Map(
    [...Map.groupBy(rows, ({ email }) => email)].map(([email, found]) => [email, found.map(({ id }) => id)]),
  );
}

async function findLinked(
  scope: ReadScope,
  { integration }: Sync,
  contactIds: readonly string[],
): Promise<Map<string, string>> {
  if (contactIds.length === 0) return new Map();
  const { rows } = await scope.query<{ contact_id: string; external_id: string }>(
    `SELECT contact_id, external_id FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND contact_id = ANY ($3::uuid[]) AND NOT is_gone AND external_id IS NOT NULL`,
    [scope.workspaceId, integration.id, contactIds],
  );
  return new Map(rows.map((row) => [row.contact_id, row.external_id]));
}

type Sharing = { id: string; phone_key: string; external_id: string };

async function findSharing(
  scope: ReadScope,
  { integration }: Sync,
  rows: readonly RecordRow[],
): Promise<Map<string, Sharing[]>> {
  const keys = [...new Set(rows.flatMap(({ phone_key: key }) => key ?? []))];
  if (keys.length === 0) return new Map();
  const { rows: found } = await scope.query<Sharing>(
    `SELECT r.id, r.phone_key, r.external_id FROM unnest($3::text[]) AS k (phone_key)
      CROSS JOIN LATERAL (SELECT id, phone_key, external_id FROM integration_records
        WHERE workspace_id = $1 AND integration_id = $2 AND phone_key = k.phone_key AND NOT is_gone AND external_id IS NOT NULL
        ORDER BY id LIMIT 2) AS r`,
    [scope.workspaceId, integration.id, keys],
  );
  return Map.groupBy(found, ({ phone_key: key }) => key);
}
