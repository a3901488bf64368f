import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineSystemJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { createAddressLink } from './address-links.ts';

/** Asks whoever made an account with this address to confirm it. The link is made here, so that no table ever holds it. */
export const addressLinkMail = defineSystemJob({
  ...mailRules,
  name: 'address-link-mail',
  payload: z.object({ email: z.string(), language: z.enum(interfaceLanguages) }),
  repeat: 'once',
  atOnce: 2,
  async run({ db, clock, mailer, publicUrl }, { id, payload: { email, language } }) {
    const made = await createAddressLink(db, email, clock());
    if (made === null) return { isSent: false };
    const link = `${publicUrl}/login?confirm=${encodeURIComponent(made.token)}`;
    const words = mailWords(made.language ?? language);
    await mailer.send({
      ...{ id, to: email },
      subject: words('mail.address.subject'),
      text: words('mail.address.text', { link }),
    });
    return { isSent: true };
  },
});
