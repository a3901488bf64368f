import { createTransport } from 'nodemailer';
import type { Mailer } from '@app/api/platform/request-context';
import type { Config } from './config.ts';

const PATIENCE_MS = 10_000;

/** Mail through the operator's server, else into the sandbox's mail box; without either nothing can be sent. */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer {
  if (smtpUrl === undefined) {
    return { send: () => Promise.reject(new Error('No mail server is set: set SMTP_URL.')) };
  }
  const url = new URL(smtpUrl);
  const transport = createTransport({
    host: url.hostname,
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  return {
    async send({ to, subject, text, replyTo }) {
      await transport.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        ...(replyTo && { replyTo }),
      });
    },
  };
}
