import { isUuid } from '@app/domain/uuid';
import { networkOf } from '@app/domain/auth/network-of';
import { beginAttempt, isBeingAsked, takeOutcome } from '../../company-sign-in/company-attempts.ts';
import type { Origin } from '../../platform/origin.ts';
import { languageOf } from '../../platform/words/language-of.ts';
import { sendAddressLink } from '../addresses/confirm-address.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { goOn, type SecondStep } from '../second-step.ts';
import type { Proven, SignedIn } from '../sessions/open-session.ts';
import type { Waiting } from './arrival.ts';
import { arriveByCompany } from './arrive-by-company.ts';
import { hasTicket } from './company-cookie.ts';

const LONGEST_ADDRESS = 2000;
const ASKED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** Where the browser goes to sign in, and the ticket that it keeps meanwhile. @throws {AuthError} */
export async function beginCompanySignIn(
  parts: AuthParts,
  caller: Origin,
  { rememberMe, returnTo }: { rememberMe: boolean; returnTo: string },
): Promise<{ ticket: string; address: string }> {
  const limit = parts.companyLimit.begin(networkOf(caller.ipAddress));
  if (!limit.isAllowed)
    throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  // The page looks at it again when it comes back; nothing else is worth keeping.
  const isOurs =
    /^\/(?:dashboard(?:[/?#]|$)|invitation$)/.test(returnTo) && returnTo.length <= LONGEST_ADDRESS;
  const wish = { purpose: 'sign-in', sessionId: null, rememberMe, returnTo: isOurs ? returnTo : '' } as const;
  const begun = await beginAttempt(parts, wish);
  if (!begun) throw new AuthError('company_sign_in_away');
  return begun;
}

/** Signs in whoever the provider said came back to this browser; once for each attempt. @throws {AuthError} */
export async function finishCompanySignIn(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  attemptId: string,
): Promise<{ arrived: SignedIn | SecondStep | Waiting; rememberMe: boolean }> {
  const { db, clock } = parts;
  if (!isUuid(attemptId) || !hasTicket(parts, request, attemptId)) throw new AuthError('sign_in_expired');
  await waitForAnswer(parts, attemptId);
  const taken = await takeOutcome(db.systemPool, attemptId, clock());
  if (!taken) throw new AuthError('sign_in_expired');
  // Its row is gone: a company that comes to work at nine behind one address is nobody who fills the table.
  parts.companyLimit.forgive(networkOf(caller.ipAddress));
  const { outcome, rememberMe } = taken;
  if ('refusal' in outcome) throw new AuthError(outcome.refusal);
  const language = languageOf(request);
  const arrived = await arriveByCompany(parts, caller, outcome.identity, language);
  if ('isPending' in arrived) return { arrived, rememberMe };
  const { provenAt } = outcome.identity;
  const proven: Proven = {
    ...{ ...arrived, rememberMe, method: 'company' as const, company: outcome.identity },
    provenAt: provenAt === null ? null : new Date(provenAt),
  };
  const signedIn = await goOn(parts, request, caller, proven).catch(async (error: unknown) => {
    // The link of the first mail may be lost or too old.
    if (error instanceof AuthError && error.code === 'email_unverified')
      await sendAddressLink(parts, { email: arrived.email, language });
    throw error;
  });
  return { arrived: signedIn, rememberMe };
}

/** The same answer may come twice; the second one waits for what the provider says to the first. */
async function waitForAnswer({ db }: AuthParts, attemptId: string): Promise<void> {
  const until = Date.now() + ASKED_WITHIN_MS;
  while (Date.now() < until && (await isBeingAsked(db.systemPool, attemptId)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
