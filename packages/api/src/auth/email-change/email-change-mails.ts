import { z } from 'zod';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { defineSystemJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { makeLinkToken } from '../link-token.ts';

const payload = z.object({ changeId: z.uuid() });
type Row = {
  from_email: string;
  to_email: string;
  first_name: string;
  language: InterfaceLanguage | null;
  is_taken: boolean;
};

/** Asks the new address whether it is theirs; one that has an account hears so, and nobody else does. */
export const emailLinkMail = defineSystemJob({
  ...mailRules,
  name: 'email-link-mail',
  payload,
  repeat: 'once',
  usefulSeconds: 24 * 3_600,
  atOnce: 2,
  async run({ db, clock, secrets, mailer, publicUrl }, { id, payload: { changeId } }) {
    const { rows } = await db.systemPool.query<Row>(
      `SELECT c.from_email, c.to_email, u.first_name, u.language,
              EXISTS (SELECT FROM users o WHERE o.email = c.to_email) AS is_taken
         FROM email_changes c JOIN users u ON u.id = c.user_id
        WHERE c.id = $1 AND c.confirmed_at IS NULL AND c.ended_at IS NULL AND c.expires_at > $2`,
      [changeId, clock()],
    );
    const [change] = rows;
    if (!change) return { isSent: false };
    const words = mailWords(change.language ?? 'en');
    const token = encodeURIComponent(makeLinkToken(secrets, 'email change', changeId));
    await mailer.send({
      ...{ id, to: change.to_email },
      ...(change.is_taken
        ? { subject: words('mail.emailTaken.subject'), text: words('mail.emailTaken.text') }
        : {
            subject: words('mail.emailLink.subject'),
            text: words('mail.emailLink.text', { link: `${publicUrl}/email-link?confirm=${token}` }),
          }),
    });
    return { isSent: true };
  },
});

/** Tells the former address that it opens the account no more, and how it takes that back. */
export const emailNotice = defineSystemJob({
  ...mailRules,
  name: 'email-notice',
  payload,
  repeat: 'once',
  atOnce: 2,
  async run({ db, secrets, mailer, publicUrl }, { id, payload: { changeId } }) {
    const { rows } = await db.systemPool.query<Row>(
      `SELECT c.from_email, c.to_email, u.first_name, u.language FROM email_changes c JOIN users u ON u.id = c.user_id
        WHERE c.id = $1 AND c.confirmed_at IS NOT NULL AND c.ended_at IS NULL`,
      [changeId],
    );
    const [change] = rows;
    if (!change) return { isSent: false };
    const words = mailWords(change.language ?? 'en');
    const token = encodeURIComponent(makeLinkToken(secrets, 'undo of email change', changeId));
    await mailer.send({
      ...{ id, to: change.from_email },
      subject: words('mail.emailNotice.subject'),
      text: words('mail.emailNotice.text', {
        ...{ name: change.first_name, email: change.to_email },
        link: `${publicUrl}/email-link?undo=${token}`,
      }),
    });
    return { isSent: true };
  },
});
