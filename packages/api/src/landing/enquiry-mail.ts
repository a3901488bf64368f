import { z } from 'zod';
import { defineSystemJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';

type Enquiry = { to: string; name: string; email: string; company: string; message: string };

/** Brings an enquiry to one administrator: each has a mail of their own, and one who cannot be reached holds up nobody. */
export const enquiryMail = defineSystemJob({
  ...mailRules,
  name: 'enquiry-mail',
  payload: z.object({ enquiryId: z.uuid(), userId: z.uuid() }),
  repeat: 'once',
  atOnce: 1,
  async run({ db, mailer }, { id, payload: { enquiryId, userId } }) {
    const { rows } = await db.systemPool.query<Enquiry>(
      `SELECT u.email AS to, e.name, e.email, e.company, e.message FROM sales_enquiries e, users u
        WHERE e.id = $1 AND u.id = $2 AND u.is_active`,
      [enquiryId, userId],
    );
    const [enquiry] = rows;
    if (!enquiry) return { isSent: false };
    const { to, name, email, company, message } = enquiry;
    await mailer.send({
      ...{ id, to, replyTo: email },
      subject: `Sales enquiry from ${name.replaceAll(/\s+/g, ' ')}`,
      text: [`Name: ${name}`, `Email: ${email}`, company && `Company: ${company}`, '', message]
        .filter((line, index) => index > 2 || line)
        .join('\n'),
    });
    return { isSent: true };
  },
});
