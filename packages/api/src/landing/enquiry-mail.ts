import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineSystemJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { mailWords } from '../platform/words/mail-words.ts';

type Enquiry = {
  to: string;
  name: string;
  email: string;
  company: string;
  message: string;
  language: InterfaceLanguage;
};

/** Brings an enquiry to one administrator: each has a mail of their own, and one who cannot be reached holds up nobody. */
export const enquiryMail = defineSystemJob({
  ...mailRules,
  name: 'enquiry-mail',
  payload: z.object({ enquiryId: z.uuid(), userId: z.uuid() }),
  repeat: 'once',
  atOnce: 1,
  async run({ db, mailer }, { id, payload: { enquiryId, userId } }) {
    const { rows } = await db.systemPool.query<Enquiry>(
      `SELECT u.email AS to, e.name, e.email, e.company, e.message, coalesce(u.language, (
                SELECT w.language FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
                 WHERE m.user_id = u.id AND m.role = 'admin' AND m.is_active ORDER BY m.created_at, w.id LIMIT 1), 'en') AS language
         FROM sales_enquiries e, users u
        WHERE e.id = $1 AND u.id = $2 AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.role = 'admin' AND m.is_active)`,
      [enquiryId, userId],
    );
    const [enquiry] = rows;
    if (!enquiry) return { isSent: false };
    const { to, name, email, company, message, language } = enquiry;
    const words = mailWords(language);
    await mailer.send({
      ...{ id, to, replyTo: email },
      subject: words('mail.enquiry.subject', { name: name.replaceAll(/\s+/g, ' ') }),
      text: [
        words('mail.enquiry.name', { name }),
        words('mail.enquiry.email', { email }),
        ...(company ? [words('mail.enquiry.company', { company })] : []),
        '',
        message,
      ].join('\n'),
    });
    return { isSent: true };
  },
});
