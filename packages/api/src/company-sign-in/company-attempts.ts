import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import type { CompanyAttempt, CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import type { ErrorCode } from '@app/contracts/errors';
import type { ApiDependencies } from '../platform/request-context.ts';
import { secretsOf } from './attempt-secrets.ts';

/** Somebody signs in, connects the company's account to theirs, or proves once more who they are. */
export type Purpose = 'sign-in' | 'link' | 'proof';

export type AttemptWish = {
  purpose: Purpose;
  /** Whose link or proof it is. */
  sessionId: string | null;
  rememberMe?: boolean;
  /** Where the person wanted to go. */
  returnTo?: string;
};

export type Attempt = {
  id: string;
  purpose: Purpose;
  sessionId: string | null;
  rememberMe: boolean;
  returnTo: string;
};

export type Outcome = { identity: CompanyIdentity } | { refusal: ErrorCode };

export const ATTEMPT_SECONDS = 10 * 60;
const CALLBACK = '/api/auth/company/callback';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'secrets' | 'publicUrl' | 'companyProvider' | 'logger'>;

/** Keeps that somebody goes to the provider, and says where; null while the provider cannot be used. */
export async function beginAttempt(
  parts: Parts,
  { purpose, sessionId, rememberMe = false, returnTo = '' }: AttemptWish,
): Promise<{ id: string; ticket: string; address: string } | null> {
  const { db, clock, secrets, companyProvider, logger } = parts;
  if (!companyProvider) return null;
  const id = newId();
  const asked = await companyProvider.askFor(describeAttempt(parts, id, purpose));
  if (asked.outcome !== 'address') {
    logger.warn({ why: asked.why }, 'the company sign-in cannot be reached');
    return null;
  }
  const now = clock();
  await db.systemPool.query(
    `INSERT INTO company_attempts (id, purpose, session_id, remember_me, return_to, began_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[id, purpose, sessionId, rememberMe, returnTo, now],
      new Date(now.getTime() + ATTEMPT_SECONDS * 1000),
    ],
  );
  return { id, ticket: secretsOf(secrets, id).ticket, address: asked.address };
}

/** What the provider must hear, and answer, for this attempt. */
export function describeAttempt(
  { secrets, publicUrl }: Pick<Parts, 'secrets' | 'publicUrl'>,
  id: string,
  purpose: Purpose,
): CompanyAttempt {
  const { state, nonce, verifier } = secretsOf(secrets, id);
  return { redirectUri: `${publicUrl}${CALLBACK}`, state, nonce, verifier, isProof: purpose === 'proof' };
}

/** An attempt that is not over yet. */
export async function findAttempt(client: SqlQueries, id: string, now: Date): Promise<Attempt | null> {
  const { rows } = await client.query<Attempt>(
    `SELECT id, purpose, session_id AS "sessionId", remember_me AS "rememberMe", return_to AS "returnTo"
       FROM company_attempts WHERE id = $1 AND expires_at > $2`,
    [id, now],
  );
  return rows[0] ?? null;
}

/** True for one alone of those who come back with the same answer: a code is shown to the provider once. */
export async function takeAttempt(client: SqlQueries, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE company_attempts SET state = 'asked' WHERE id = $1 AND state = 'begun'`,
    [id],
  );
  return rowCount === 1;
}

export async function keepOutcome(client: SqlQueries, id: string, outcome: Outcome): Promise<void> {
  await client.query(`UPDATE company_attempts SET state = 'answered', outcome = $2 WHERE id = $1`, [
    id,
    JSON.stringify(outcome),
  ]);
}

/** Whether somebody else is just now asking the provider about this attempt. */
export async function isBeingAsked(client: SqlQueries, id: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM company_attempts WHERE id = $1 AND state = 'asked'`, [
    id,
  ]);
  return rowCount === 1;
}

/** What came of an attempt, once: with it the attempt is over. */
export async function takeOutcome(
  client: SqlQueries,
  id: string,
  now: Date,
): Promise<{ outcome: Outcome; rememberMe: boolean } | null> {
  const { rows } = await client.query<{ outcome: Outcome; rememberMe: boolean }>(
    `DELETE FROM company_attempts WHERE id = $1 AND state = 'answered' AND expires_at > $2
     RETURNING outcome, remember_me AS "rememberMe"`,
    [id, now],
  );
  return rows[0] ?? null;
}

/** For what ends in the callback itself. */
export async function deleteAttempt(client: SqlQueries, id: string): Promise<void> {
  await client.query('DELETE FROM company_attempts WHERE id = $1', [id]);
}

/** Whoever went to the provider and never came back. */
export async function deletePastAttempts({
  db,
  clock,
}: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  await db.systemPool.query('DELETE FROM company_attempts WHERE expires_at < $1', [clock()]);
}
