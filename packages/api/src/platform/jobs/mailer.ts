import { JobGivenUp } from './job-failure.ts';

/** Sends mail from the installation's own address. Only jobs call it, so that nobody waits for a mail server. */
export type Mailer = {
  /**
   * To one person: people whom the same mail goes to are not shown to each other. Under one id it is one mail, however often it is sent.
   * Rejects when the mail server does not take it, with `MailRefused` when it never will.
   */
  send(mail: Mail): Promise<void>;
};

export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The same for programs that show it. */
  html?: string;
  /** JPEG pictures that come along, which the HTML shows as `cid:` with their name. */
  pictures?: { name: string; content: Uint8Array }[];
  /** CSV files that come along. */
  files?: { name: string; text: string }[];
  /** Where one press, or the mail program by itself, ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string;
  replyTo?: string;
};

/** A mail server that is away is tried again for about a day, at first after seconds and then every half hour. */
export const mailRules = { attempts: 56, pauseSeconds: 10, longestPauseSeconds: 1_800, timeoutSeconds: 60 };

/** No later attempt would change this: the server refuses the mail, or there is no server. */
export class MailRefused extends JobGivenUp {
  override name = 'MailRefused';

  constructor(code: 'mail_refused' | 'mail_server_missing') {
    super(code);
  }
}
