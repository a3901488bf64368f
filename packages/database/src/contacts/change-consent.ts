import type { ConsentSource } from '@app/domain/contacts/opt-out/consent-source';
import { withoutRollups } from '../analytics/count-rollups.ts';
import type { SqlQueries } from '../sql-queries.ts';

/** Something that was said about marketing consent. */
export type ConsentWord = {
  workspaceId: string;
  contactId: string;
  kind: 'opt_in' | 'opt_out';
  source: ConsentSource;
  /** When it was said by our clock, whenever it arrived. */
  at: Date;
  /** The same by the platform's clock, if that timed it. */
  saidAt?: Date | null;
  /** What the person wrote or agreed to, or what staff noted. */
  text?: string;
  recordedBy?: string | null;
  /** The number or platform id that said it, or that was entered in the form. */
  sender?: string | null;
};

/** What was said of somebody who is no contact at the moment, under numbers and platform ids. */
export type SaidOfNobody = {
  workspaceId: string;
  identifiers: readonly string[];
  word: Pick<ConsentWord, 'kind' | 'source' | 'at'> | null;
  holdUntil: Date | null;
};

/**
 * The one way to change consent: records what was said and lets the newest word decide, whichever arrived first. Answers with the
 * contacts whose consent is another one now. What an import says names it; a contact that was made or changed in this transaction is
 * `isFresh`, and its version stays. Records that move, come back or are taken back go through the functions below.
 */
export async function changeConsent(
  client: SqlQueries,
  words: readonly ConsentWord[],
  { importId = null, isFresh = false }: { importId?: string | null; isFresh?: boolean } = {},
): Promise<string[]> {
  if (words.length === 0) return [];
  const all = [...words, ...(await sayOfOtherSpelling(client, words))];
  const column = (read: (word: ConsentWord) => unknown): unknown[] => all.map(read);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM record_consents($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::timestamptz[], $10, $11) AS id`,
    [
      column((word) => word.workspaceId),
      column((word) => word.contactId),
      column((word) => word.kind),
      column((word) => word.source),
      column((word) => word.text ?? ''),
      column((word) => word.recordedBy ?? null),
      column((word) => word.sender ?? null),
      column((word) => word.at),
      column((word) => word.saidAt ?? null),
      importId,
      isFresh ? 0 : 1,
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * Of these words, which were recorded just now, those that say something new: a platform may report one wish twice, as a word and as an event
 * (`repeats_wish`). Who hears of wishes then hears of each once.
 */
export async function findNewWishes(
  client: SqlQueries,
  words: readonly ConsentWord[],
): Promise<ConsentWord[]> {
  if (words.length === 0) return [];
  const { rows } = await client.query<{ place: number }>(
    `SELECT w.place::int - 1 AS place FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) WITH ORDINALITY AS w (contact_id, kind, text, at, place)
      WHERE EXISTS (SELECT FROM contact_consents c WHERE c.contact_id = w.contact_id AND c.kind = w.kind AND c.text = w.text AND c.occurred_at = w.at
                       AND repeats_wish(c))`,
    [
      words.map(({ contactId }) => contactId),
      words.map(({ kind }) => kind),
      words.map(({ text }) => text ?? ''),
      words.map(({ at }) => at),
    ],
  );
  const repeated = new Set(rows.map(({ place }) => place));
  return words.filter((_, place) => !repeated.has(place));
}

/** An opt-out holds for the person: also for a second contact that has the same number in its other spelling (see number-spellings.ts). */
async function sayOfOtherSpelling(client: SqlQueries, words: readonly ConsentWord[]): Promise<ConsentWord[]> {
  const optOuts = words.filter(({ kind }) => kind === 'opt_out');
  if (optOuts.length === 0) return [];
  const { rows } = await client.query<{ place: number; id: string }>(
    `SELECT w.place::int - 1 AS place, o.id FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS w (workspace_id, contact_id, place)
       JOIN contacts c ON c.workspace_id = w.workspace_id AND c.id = w.contact_id
       JOIN contacts o ON o.workspace_id = c.workspace_id AND o.phone = other_spelling(c.phone)`,
    [optOuts.map((word) => word.workspaceId), optOuts.map((word) => word.contactId)],
  );
  const named = new Set(words.map(({ contactId }) => contactId));
  return rows
    .filter(({ id }) => !named.has(id))
    .map(({ place, id }) => ({ ...optOuts[place]!, contactId: id })); // one of those that were asked for
}

/** Takes back what an import said of these contacts; what others said of them decides again. Their versions stay. */
export async function takeBackImported(
  client: SqlQueries,
  { importId, contactIds }: { importId: string; contactIds: readonly string[] },
): Promise<void> {
  if (contactIds.length === 0) return;
  await client.query(`SELECT set_config('app.consent_recorded', 'yes', true)`, []);
  await client.query(
    `WITH gone AS (DELETE FROM contact_consents WHERE import_id = $1 AND contact_id = ANY ($2::uuid[])
                   RETURNING contact_id, kind, occurred_at)
     UPDATE contacts c SET opted_out_at = NULL FROM gone
      WHERE c.id = gone.contact_id AND gone.kind = 'opt_out' AND c.opted_out_at = gone.occurred_at`,
    [importId, contactIds],
  );
  await client.query(`SELECT set_config('app.consent_recorded', '', true)`, []);
  await settleConsents(client, contactIds, { isFresh: true });
}

/**
 * Lets what is recorded decide again, after records came from or went to another contact. Nobody has seen a `isFresh` contact yet, so its
 * version stays.
 */
export async function settleConsents(
  client: SqlQueries,
  contactIds: readonly string[],
  { isFresh = false } = {},
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM settle_consents($1::uuid[], $2) AS id',
    [contactIds, isFresh ? 0 : 1],
  );
  return rows.map(({ id }) => id);
}

/** Gives contacts that come back after their deletion what was kept of them; let it decide behind it (`settleConsents`). */
export async function returnKeptConsents(
  client: SqlQueries,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<void> {
  await withoutRollups(client, () =>
    client.query(
      `INSERT INTO contact_consents SELECT r.* FROM deleted_contacts k, jsonb_populate_recordset(NULL::contact_consents, k.consents) AS r
        WHERE k.workspace_id = $1 AND k.contact_id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`,
      [workspaceId, contactIds],
    ),
  );
}

/** Gives records to another contact, of which more is known by then; let what is recorded decide for both behind it (`settleConsents`). */
export async function giveConsents(
  client: SqlQueries,
  consentIds: readonly string[],
  contactId: string,
): Promise<void> {
  if (consentIds.length === 0) return;
  await client.query('UPDATE contact_consents SET contact_id = $2 WHERE id = ANY ($1::uuid[])', [
    consentIds,
    contactId,
  ]);
}

/** Takes a record out that was nobody's of those who are parted again. */
export async function dropConsent(client: SqlQueries, consentId: string): Promise<void> {
  await client.query('DELETE FROM contact_consents WHERE id = $1', [consentId]);
}

/** Gives contacts that were made or changed in this transaction what was said before they were; a record that is there already stays alone. */
export async function returnConsents(client: SqlQueries, words: readonly ConsentWord[]): Promise<void> {
  if (words.length === 0) return;
  await withoutRollups(client, () =>
    client.query(
      `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, sender, occurred_at)
     SELECT DISTINCT ON (n.contact_id, n.kind, n.source, n.occurred_at) n.*
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
         AS n (workspace_id, contact_id, kind, source, sender, occurred_at)
      WHERE NOT EXISTS (SELECT FROM contact_consents o WHERE o.contact_id = n.contact_id AND o.kind = n.kind
                           AND o.source = n.source AND o.occurred_at = n.occurred_at)`,
      [
        words.map((word) => word.workspaceId),
        words.map((word) => word.contactId),
        words.map((word) => word.kind),
        words.map((word) => word.source),
        words.map((word) => word.sender ?? null),
        words.map((word) => word.at),
      ],
    ),
  );
  await settleConsents(client, [...new Set(words.map((word) => word.contactId))], { isFresh: true });
}

/**
 * Lets an opt-out of one contact hold for the one that several became: as a word that outdoes all that was said to any of them, while the
 * contact shows since when it holds. Answers with the id of the record, by which it is taken back.
 */
export async function shareOptOut(
  client: SqlQueries,
  word: ConsentWord & { kind: 'opt_out' },
  { since, contactIds }: { since: Date; contactIds: readonly string[] },
): Promise<string> {
  const { rows: newest } = await client.query<{ at: Date | null }>(
    'SELECT max(occurred_at) AS at FROM contact_consents WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
    [word.workspaceId, contactIds],
  );
  const at = new Date(Math.max(word.at.getTime(), newest[0]?.at?.getTime() ?? 0));
  await withoutRollups(client, () => changeConsent(client, [{ ...word, at }]));
  await writeState(client, word.contactId, since);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM contact_consents WHERE workspace_id = $1 AND contact_id = $2 AND kind = 'opt_out' AND occurred_at = $3
        AND text = $4 ORDER BY recorded_at DESC LIMIT 1`,
    [word.workspaceId, word.contactId, at, word.text ?? ''],
  );
  return rows[0]!.id; // recorded above
}

/** Takes the record of a shared opt-out back, if there was one: the contact is as it was before, until what was said since is settled. */
export async function takeBackOptOut(
  client: SqlQueries,
  {
    contactId,
    consentId,
    optedOutAt,
  }: { contactId: string; consentId: string | null; optedOutAt: Date | null },
): Promise<void> {
  await client.query('DELETE FROM contact_consents WHERE contact_id = $1 AND id = $2', [
    contactId,
    consentId,
  ]);
  await writeState(client, contactId, optedOutAt);
}

/** Deletes the opt-ins that these contacts sent as messages, also to the bot, and lets the other records decide. Opt-outs and records of staff, forms and imports stay. */
export async function dropSentOptIns(client: SqlQueries, contactIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ contact_id: string }>(
    `DELETE FROM contact_consents WHERE contact_id = ANY ($1::uuid[]) AND kind = 'opt_in' AND source IN ('person', 'bot') AND import_id IS NULL
      RETURNING contact_id`,
    [contactIds],
  );
  await settleConsents(client, [...new Set(rows.map((row) => row.contact_id))]);
}

/** What the contact shows, where its record says the same already. */
async function writeState(client: SqlQueries, contactId: string, optedOutAt: Date | null): Promise<void> {
  await client.query(`SELECT set_config('app.consent_recorded', 'yes', true)`, []);
  await client.query(
    'UPDATE contacts SET opted_out_at = $2::timestamptz WHERE id = $1 AND opted_out_at IS DISTINCT FROM $2::timestamptz',
    [contactId, optedOutAt],
  );
  await client.query(`SELECT set_config('app.consent_recorded', '', true)`, []);
}
