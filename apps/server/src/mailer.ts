import { createTransport } from 'nodemailer';
import { MailRefused, type Mailer } from '@app/api/platform/jobs/mailer';
import type { Config } from './config.ts';

const PATIENCE_MS = 10_000;

/** Mail through the operator's server, else into the sandbox's mail box; without either nothing can be sent. */
export function createMailer({
  smtpUrl,
  mailFrom,
  publicUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>): Mailer {
  if (smtpUrl === undefined) {
    return { send: () => Promise.reject(new MailRefused('mail_server_missing')) };
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
    async send({ id, to, subject, text, html, pictures = [], files = [], unsubscribeUrl, replyTo }) {
      const mail = {
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        // What goes out twice, because a process died over it, is one mail to those who receive it.
        messageId: `<${id}@${new URL(publicUrl).hostname}>`,
        ...(html && { html }),
        attachments: [
          ...pictures.map(({ name, content }) => ({
            ...{ cid: name, filename: `${name}.jpg`, contentType: 'image/jpeg' },
            ...{ content: Buffer.from(content), contentDisposition: 'inline' as const },
          })),
          ...files.map(({ name, text: content }) => ({
            ...{ filename: name, contentType: 'text/csv; charset=utf-8', content },
          })),
        ],
        ...(unsubscribeUrl && {
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
        ...(replyTo && { replyTo }),
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isRefused(error) ? new MailRefused('mail_refused') : error;
      });
    },
  };
}

/** An answer of the 500s is for good, but for those to a sign-in: the operator may set another password. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false;
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
}
