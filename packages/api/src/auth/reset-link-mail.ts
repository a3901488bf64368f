import { z } from 'zod';
import { defineSystemJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { createResetLink } from './reset-links.ts';

/** Mails a link to whoever has an account with this address. The link is made here, so that no table ever holds what opens an account. */
export const resetLinkMail = defineSystemJob({
  ...mailRules,
  name: 'reset-link-mail',
  payload: z.object({ email: z.string() }),
  repeat: 'once',
  // As many at a time as before one another: one slow mail must not hold up all others.
  atOnce: 2,
  async run({ db, clock, mailer, publicUrl }, { id, payload: { email } }) {
    const token = await createResetLink(db, email, clock());
    if (token === null) return { isSent: false };
    const link = `${publicUrl}/forgot-password?token=${encodeURIComponent(token)}`;
    await mailer.send({ id, to: email, ...writeResetMail(link) });
    return { isSent: true };
  },
});

function writeResetMail(link: string): { subject: string; text: string } {
  return {
    subject: 'Choose a new password',
    text: [
      'Somebody, hopefully you, asked to reset the password of your account.',
      '',
      `Choose a new one here: ${link}`,
      '',
      'The link works once, for one hour. If it was not you, ignore this mail: nothing has changed.',
    ].join('\n'),
  };
}
