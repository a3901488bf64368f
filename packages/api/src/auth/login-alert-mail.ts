import { describeDevice } from '@app/domain/users/describe-device';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineSystemJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { mailWords } from '../platform/words/mail-words.ts';

type Row = {
  email: string;
  first_name: string;
  language: InterfaceLanguage | null;
  timezone: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
};

/** Tells somebody that their account was signed in to from a browser that it did not know, unless they switched that off. */
export const loginAlertMail = defineSystemJob({
  ...mailRules,
  name: 'login-alert-mail',
  payload: z.object({ sessionId: z.string() }),
  repeat: 'once',
  atOnce: 2,
  async run({ db, mailer, publicUrl, findPlace }, { id, payload: { sessionId } }) {
    const { rows } = await db.systemPool.query<Row>(
      `SELECT u.email, u.first_name, u.language, u.timezone, s.ip_address, s.user_agent, s.created_at
         FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1 AND u.login_alerts`,
      [sessionId],
    );
    const [signIn] = rows;
    if (!signIn) return { isSent: false };
    const language = signIn.language ?? 'en';
    const words = mailWords(language);
    const { browser, os } = describeDevice(signIn.user_agent);
    const place = signIn.ip_address ? findPlace(signIn.ip_address) : null;
    const country = place?.country
      ? new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(place.country)
      : null;
    const join = (parts: (string | null | undefined)[], by: string) => parts.filter(Boolean).join(by) || '–';
    const time = new Intl.DateTimeFormat(language, {
      ...{ dateStyle: 'long', timeStyle: 'short', timeZone: signIn.timezone },
    }).format(signIn.created_at);
    await mailer.send({
      ...{ id, to: signIn.email },
      subject: words('mail.loginAlert.subject'),
      text: words('mail.loginAlert.text', {
        name: signIn.first_name,
        time: `${time} (${signIn.timezone})`,
        browser: join([browser, os], ', '),
        address: signIn.ip_address || '–',
        place: join([place?.city, country], ', '),
        link: `${publicUrl}/dashboard/profile?tab=sessions`,
      }),
    });
    return { isSent: true };
  },
});
