import { newId } from '@app/database/new-id';
import { networkOf } from '@app/domain/auth/network-of';
import { checkEmail, checkPassword, normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { findLink } from '../../company-sign-in/company-identities.ts';
import { listPasskeys } from '../../passkeys/passkeys-queries.ts';
import type { Origin } from '../../platform/origin.ts';
import { languageOf } from '../../platform/words/language-of.ts';
import { refuseBadFields } from '../auth-forms.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { resetLinkMail } from './reset-link-mail.ts';
import { findOwnerOfLink, takeResetLink } from './reset-links.ts';

/**
 * Leaves the same job for every address and looks nothing up, so that neither the answer nor its time can tell whether the
 * address has an account. Strangers cannot use up somebody's links: each one goes to the owner and works for longer than
 * they can hold up the next.
 */
export async function requestPasswordReset(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  form: { email: string },
): Promise<void> {
  const problem = checkEmail(form.email);
  if (problem) refuseBadFields({ email: problem });
  const email = normaliseEmail(form.email);
  const device = parts.devices.find(request, email);
  if (device === null) {
    const limit = parts.resetLimit.begin(networkOf(caller.ipAddress));
    if (!limit.isAllowed)
      throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  }
  if (!parts.resetMailLimit.begin(device === null ? `to ${email}` : `device ${device}`).isAllowed) return;
  await parts.db.inSystem((_, client) =>
    parts.jobs.enqueue(
      client,
      resetLinkMail,
      newId(),
      { email, language: languageOf(request) },
      { isFirst: device !== null },
    ),
  );
}

/** Takes a new password for the token of a mailed link and ends every session and every other link of the account. */
export async function resetPassword(
  parts: AuthParts,
  request: Request,
  form: { token: string; password: string; removesPasskeys: boolean; removesCompanyLink: boolean },
): Promise<{ cookies: string[] }> {
  const problem = checkPassword(form.password);
  if (problem) refuseBadFields({ password: problem });
  const { db, clock, companyProvider } = parts;
  // Looked up before the hash, which only a real link is worth.
  if (!(await findOwnerOfLink(db.systemPool, form.token, clock()))) throw new AuthError('reset_link_invalid');
  const passwordHash = await parts.hashing.run(() => parts.passwords.hash(form.password));
  const person = await takeResetLink(parts, {
    ...{ token: form.token, passwordHash },
    removesPasskeys: form.removesPasskeys,
    disconnects: (form.removesCompanyLink && companyProvider) || null,
  });
  if (!person) throw new AuthError('reset_link_invalid');
  // Whoever reads the mail of an address owns it.
  return { cookies: [parts.devices.remember(request, person.email).cookie] };
}

/** What the form of a link shows: whoever took the account over may have left another way in, and the owner decides. */
export async function readResetLink(
  { db, clock, companyProvider }: AuthParts,
  token: string,
): Promise<{
  passkeys: { name: string; createdAt: string; lastUsedAt: string | null }[];
  companyLink: { provider: string; linkedAt: string } | null;
}> {
  const owner = await findOwnerOfLink(db.systemPool, token, clock());
  if (owner === null) throw new AuthError('reset_link_invalid');
  const link = companyProvider && (await findLink(db.systemPool, companyProvider.issuer, owner));
  const passkeys = await listPasskeys(db.systemPool, owner);
  return {
    companyLink: link ? { provider: companyProvider.name, linkedAt: link.linkedAt.toISOString() } : null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      ...{ name, createdAt: createdAt.toISOString() },
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
  };
}
