import type { CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import type { ErrorCode } from '@app/contracts/errors';
import type pg from 'pg';
import { readState } from '../../company-sign-in/attempt-secrets.ts';
import {
  describeAttempt,
  findAttempt,
  deleteAttempt,
  keepOutcome,
  takeAttempt,
  type Attempt,
  type Outcome,
} from '../../company-sign-in/company-attempts.ts';
import { addIdentity, findIdentity } from '../../company-sign-in/company-identities.ts';
import { callerOf } from '../../platform/guard-access.ts';
import type { Origin } from '../../platform/origin.ts';
import type { Session } from '../../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import type { AuthParts } from '../auth-parts.ts';
import { hasTicket } from './company-cookie.ts';

type Ended = ErrorCode | 'done';

/**
 * Takes the provider's answer out of the address to which it sent the browser, and says where that goes next. Whoever did not begin here is
 * told nothing, and ends nothing: a page of others can cause this request.
 */
export async function returnFromCompany(parts: AuthParts, request: Request, origin: Origin): Promise<string> {
  const { db, clock, secrets, sessions } = parts;
  const { search, searchParams } = new URL(request.url);
  const attemptId = readState(secrets, searchParams.get('state') ?? '');
  const attempt = attemptId && (await findAttempt(db.systemPool, attemptId, clock()));
  if (!attempt) return '/login?company=unknown';
  if (attempt.purpose === 'sign-in') {
    if (hasTicket(parts, request, attempt.id)) await settle(parts, attempt, search);
    return `/login?${new URLSearchParams({ company: attempt.id, redirect: attempt.returnTo }).toString()}`;
  }
  const session = await sessions.readByRequest(request);
  if (!session || session.id !== attempt.sessionId) return '/login?company=unknown';
  const outcome = (await takeAttempt(db.systemPool, attempt.id)) && (await ask(parts, attempt, search));
  const ended = outcome ? await endForSession(parts, attempt, session, origin, outcome) : 'sign_in_expired';
  return attempt.purpose === 'proof'
    ? `/login?proof=${ended}`
    : `/dashboard/profile?${new URLSearchParams({ tab: 'security', company: ended }).toString()}`;
}

/** Asks the provider once, however often the browser comes with the answer. */
async function settle(parts: AuthParts, attempt: Attempt, query: string): Promise<void> {
  const { systemPool } = parts.db;
  if (!(await takeAttempt(systemPool, attempt.id))) return;
  await keepOutcome(systemPool, attempt.id, await ask(parts, attempt, query));
}

async function ask(parts: AuthParts, attempt: Attempt, query: string): Promise<Outcome> {
  const { companyProvider, logger } = parts;
  const answer = await companyProvider?.readAnswer(
    query,
    describeAttempt(parts, attempt.id, attempt.purpose),
  );
  if (answer?.outcome === 'identity') return { identity: answer.identity };
  const isAway = answer?.outcome !== 'refused';
  logger.warn({ why: answer?.why }, `the company sign-in ${isAway ? 'cannot be reached' : 'was refused'}`);
  return { refusal: isAway ? 'company_sign_in_away' : 'company_sign_in_refused' };
}

/** A link or a proof belongs to the session that asked for it, and ends here. */
async function endForSession(
  parts: AuthParts,
  { id, purpose }: Attempt,
  session: Session,
  origin: Origin,
  outcome: Outcome,
): Promise<Ended> {
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    await deleteAttempt(client, id);
    if ('refusal' in outcome) return outcome.refusal;
    if (!(await holdSession(client, session))) return 'sign_in_expired';
    const { identity } = outcome;
    if (purpose === 'proof') return prove(client, identity, session, parts.clock());
    if (!(await addIdentity(client, identity, session.user.id, parts.clock()))) {
      const known = await findIdentity(client, identity);
      return known?.userId === session.user.id ? 'done' : 'company_account_taken';
    }
    await scopeOf({ caller: callerOf(session), origin }).emit({
      ...{ type: 'account.company_linked', subject: session.user.id },
      values: { provider: parts.companyProvider?.name ?? '' },
    });
    return 'done';
  });
}

async function prove(
  client: pg.PoolClient,
  identity: CompanyIdentity,
  session: Session,
  now: Date,
): Promise<Ended> {
  const known = await findIdentity(client, identity);
  if (known?.userId !== session.user.id) return 'company_sign_in_refused';
  await client.query('UPDATE sessions SET proven_at = $2 WHERE id = $1', [session.id, now]);
  return 'done';
}

/** In everybody's order: the person first. False for a session that ended meanwhile. */
async function holdSession(client: pg.PoolClient, { id, user }: Session): Promise<boolean> {
  await client.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [user.id]);
  const { rowCount } = await client.query(
    'SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE',
    [id],
  );
  return rowCount === 1;
}
