import { isPermitted } from '@app/domain/auth/is-permitted';
import { askForEmail, endEmailChange } from '../auth/email-change/ask-for-email.ts';
import { emailLinkMail } from '../auth/email-change/email-change-mails.ts';
import type { OwnAccount } from '../platform/account/own-account.ts';
import type { SignedInContext } from '../platform/request-context.ts';

/**
 * Leaves a mail with a link to the new address, and until that is used nothing changes. Where no mail is sent nobody confirms an address:
 * whoever manages users changes their own at once, and that of others.
 */
export async function changeEmail(
  { client, userId, emit, now }: OwnAccount,
  { session, caller, sendsMail, jobs }: Pick<SignedInContext, 'session' | 'caller' | 'sendsMail' | 'jobs'>,
  email: string,
): Promise<'too_many_mails' | 'mail_missing' | 'email_taken' | null> {
  const { email: from } = session.user;
  // Whoever wishes for the address that they have wants no other any more.
  if (email === from) {
    await withdrawEmail({ client, userId, emit, now });
    return null;
  }
  if (!sendsMail) {
    if (!isPermitted(caller.permissions, 'users:manage')) return 'mail_missing';
    const { rowCount } = await client.query(
      `UPDATE users SET email = $2, email_verified = true, updated_at = $3
        WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE email = $2)`,
      [userId, email, now],
    );
    if (rowCount !== 1) return 'email_taken';
    await client.query('DELETE FROM verifications WHERE value = $1', [userId]);
    await emit({ type: 'account.email_changed', subject: userId, values: {} });
    return null;
  }
  const asked = await askForEmail(client, { userId, from, to: email, now });
  if (asked === 'too_many_mails') return asked;
  if (!asked) return null;
  await jobs.enqueue(client, emailLinkMail, asked.id, { changeId: asked.id });
  await emit({ type: 'account.email_change_asked', subject: userId, values: {} });
  return null;
}

/** Ends the wish that waits to be confirmed, where there is one. */
export async function withdrawEmail({
  client,
  userId,
  emit,
  now,
}: Pick<OwnAccount, 'client' | 'userId' | 'emit' | 'now'>): Promise<void> {
  if (await endEmailChange(client, userId, now))
    await emit({ type: 'account.email_change_withdrawn', subject: userId, values: {} });
}
