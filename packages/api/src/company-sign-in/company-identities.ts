import type { SqlQueries } from '@app/database/sql-queries';
import type { Role } from '@app/domain/auth/permissions';

/** The provider's own name of somebody. */
export type CompanyName = { issuer: string; subject: string };

/** Whose account a person of the company has, with what the operator's rules gave them last. */
export type KnownIdentity = { userId: string; mappedRole: Role | null; mappedTeams: string[] };

export type CompanyLink = { subject: string; linkedAt: Date; lastUsedAt: Date | null };

export async function findIdentity(
  client: SqlQueries,
  { issuer, subject }: CompanyName,
): Promise<KnownIdentity | null> {
  const { rows } = await client.query<KnownIdentity>(
    `SELECT user_id AS "userId", mapped_role AS "mappedRole", mapped_teams AS "mappedTeams"
       FROM company_identities WHERE issuer = $1 AND subject = $2`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

/**
 * Whether this name is still that of the account. The account is locked as whoever takes the name away locks it: asked behind what it allows, it
 * meets every change that did not end that.
 */
export async function isStillIdentity(
  client: SqlQueries,
  userId: string,
  name: CompanyName,
): Promise<boolean> {
  await client.query('SELECT FROM users WHERE id = $1 FOR SHARE', [userId]);
  return (await findIdentity(client, name))?.userId === userId;
}

/** False when somebody else has this name, or the account has another one. */
export async function addIdentity(
  client: SqlQueries,
  { issuer, subject }: CompanyName,
  userId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO company_identities (issuer, subject, user_id, linked_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [issuer, subject, userId, now],
  );
  return rowCount === 1;
}

export async function noteUse(
  client: SqlQueries,
  { issuer, subject }: CompanyName,
  { mappedRole, mappedTeams, now }: { mappedRole: Role | null; mappedTeams: readonly string[]; now: Date },
): Promise<void> {
  await client.query(
    `UPDATE company_identities SET mapped_role = $3, mapped_teams = $4, last_used_at = $5
      WHERE issuer = $1 AND subject = $2`,
    [issuer, subject, mappedRole, mappedTeams, now],
  );
}

export async function findLink(
  client: SqlQueries,
  issuer: string,
  userId: string,
): Promise<CompanyLink | null> {
  const { rows } = await client.query<CompanyLink>(
    `SELECT subject, linked_at AS "linkedAt", last_used_at AS "lastUsedAt" FROM company_identities
      WHERE issuer = $1 AND user_id = $2`,
    [issuer, userId],
  );
  return rows[0] ?? null;
}

/** Whether there was one. */
export async function removeLink(client: SqlQueries, issuer: string, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM company_identities WHERE issuer = $1 AND user_id = $2',
    [issuer, userId],
  );
  return rowCount === 1;
}

/** Every name that a provider has for the account: whoever owns its address has not proved these. */
export async function deleteIdentities(client: SqlQueries, userId: string): Promise<void> {
  await client.query('DELETE FROM company_identities WHERE user_id = $1', [userId]);
}

/** Those that were connected since then, perhaps by somebody else. */
export async function deleteIdentitiesSince(client: SqlQueries, userId: string, since: Date): Promise<void> {
  await client.query('DELETE FROM company_identities WHERE user_id = $1 AND linked_at >= $2', [
    userId,
    since,
  ]);
}

/** Whether somebody with this name was taken out of here. */
export async function hasLeft(client: SqlQueries, { issuer, subject }: CompanyName): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM company_leavers WHERE identity_hash = hash_company_identity($1, $2)',
    [issuer, subject],
  );
  return rowCount === 1;
}
