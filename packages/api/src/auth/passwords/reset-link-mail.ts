import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineSystemJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { createResetLink } from './reset-links.ts';

/** Mails a link to whoever has an account with this address. The link is made here, so that no table ever holds what opens an account. */
export const resetLinkMail = defineSystemJob({
  ...mailRules,
  name: 'reset-link-mail',
  // The language of the browser that asked, for who has chosen none.
  payload: z.object({ email: z.string(), language: z.enum(interfaceLanguages).default('en') }),
  repeat: 'once',
  // Whoever waited longer has asked again; and the address was typed by anybody.
  usefulSeconds: 3_600,
  // As many at a time as before one another: one slow mail must not hold up all others.
  atOnce: 2,
  async run({ db, clock, mailer, publicUrl }, { id, payload: { email, language } }) {
    const made = await createResetLink(db, email, clock());
    if (made === null) return { isSent: false };
    const link = `${publicUrl}/forgot-password?token=${encodeURIComponent(made.token)}`;
    const words = mailWords(made.language ?? language);
    await mailer.send({
      ...{ id, to: email },
      subject: words('mail.reset.subject'),
      text: words('mail.reset.text', { link }),
    });
    return { isSent: true };
  },
});
