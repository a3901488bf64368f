import { networkOf, siteOf } from '@app/domain/auth/network-of';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import type { Origin } from '../platform/origin.ts';
import { languageOf } from '../platform/words/language-of.ts';
import type { SignInForm } from './auth-forms.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthError } from './auth-response.ts';
import { checkPassword } from './passwords/check-password.ts';
import { sendAddressLink } from './addresses/confirm-address.ts';
import type { SignedIn } from './sessions/open-session.ts';
import { goOn, type SecondStep } from './second-step.ts';
import { beginGuess, takeBackGuess, type Failure } from './sign-in-failures.ts';

/**
 * Known and unknown addresses take the same path: one guess counted, one hash. Whoever comes with a device that the
 * address knows has limits and a place in the queue of their own, which no stranger can use up. Who has a second factor is asked
 * for it in a second step.
 */
export async function signIn(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  form: SignInForm,
): Promise<SignedIn | SecondStep> {
  const { db, hashing, devices } = parts;
  const email = normaliseEmail(form.email);
  const network = networkOf(caller.ipAddress);
  const device = devices.find(request, email);
  const places = findPlaces(parts, caller, network);
  if (device === null)
    for (const { limit, key } of places) {
      const attempt = limit.begin(key);
      if (!attempt.isAllowed)
        throw new AuthError('too_many_attempts', { retryAfterSeconds: attempt.retryAfterSeconds });
    }
  const checked = await hashing.run(() => guess(parts, { email, device, network }, form.password), {
    isFirst: device !== null,
  });
  if (checked.person === null) throw new AuthError('invalid_credentials');
  if (device === null) for (const { limit, key } of places) limit.forgive(key);
  await takeBackGuess(db, email, checked.failures);
  const { rememberMe } = form;
  const proven = { ...checked.person, email, rememberMe, method: 'password' } as const;
  return goOn(parts, request, caller, proven).catch(async (error: unknown) => {
    // The link of the first mail may be lost or too old.
    if (error instanceof AuthError && error.code === 'email_unverified')
      await sendAddressLink(parts, { email, language: languageOf(request) });
    throw error;
  });
}

/** Where guesses of a stranger count: in their network, and in the larger block that a provider gives to one customer. */
function findPlaces(
  { signInLimit, signInSiteLimit }: Pick<AuthParts, 'signInLimit' | 'signInSiteLimit'>,
  { ipAddress }: Pick<Origin, 'ipAddress'>,
  network: string,
) {
  const site = siteOf(ipAddress);
  const ofSite = site === null ? [] : [{ limit: signInSiteLimit, key: site }];
  return [{ limit: signInLimit, key: network }, ...ofSite];
}

async function guess(
  { db, clock, passwords }: AuthParts,
  { email, device, network }: { email: string; device: string | null; network: string },
  password: string,
): Promise<{ person: Awaited<ReturnType<typeof checkPassword>>; failures: readonly Failure[] }> {
  const asStranger = () => beginGuess(db, email, { network }, clock());
  const failures = await (device === null
    ? asStranger()
    : beginGuess(db, email, { device }, clock()).catch((error: unknown) => {
        // A device that has guessed too often is a stranger among strangers.
        if (error instanceof AuthError) return asStranger();
        throw error;
      }));
  return { person: await checkPassword({ db, passwords }, { email, password }), failures };
}
