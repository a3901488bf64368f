import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';
import { RecentList } from './recent-list.ts';

export interface ReceivedMail {
  id: number;
  at: number;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  attachments: { filename: string; contentType: string; size: number }[];
}

/** A mail server that delivers nowhere: what it takes can be read on the page and by `GET /_sandbox/mail`. */
export class MailBox {
  readonly mails = new RecentList<ReceivedMail>(300);
  readonly #onChange: () => void;
  #server: SMTPServer | undefined;
  #nextId = 1;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Resolves with the port; any user name and password are taken. */
  async listen(port: number, host: string): Promise<number> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      size: 25 * 1024 * 1024,
      onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
      onData: (stream, session, answer) => {
        void this.#keep(stream, session.envelope).then(answer);
      },
    });
    // A client that breaks its connection is no fault of the mail box.
    server.on('error', () => {});
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
    const address = server.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Resolves with the error that the sender shall hear, if any. */
  async #keep(stream: AsyncIterable<Buffer>, envelope: SMTPServerEnvelope): Promise<Error | null> {
    try {
      const mail = await readMail(stream);
      this.mails.add({
        id: this.#nextId++,
        at: Date.now(),
        ...mail,
        from: mail.from || (envelope.mailFrom ? envelope.mailFrom.address : ''),
        to: envelope.rcptTo.map((recipient) => recipient.address),
      });
      this.#onChange();
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

async function readMail(stream: AsyncIterable<Buffer>): Promise<Omit<ReceivedMail, 'id' | 'at' | 'to'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  return {
    from: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
    attachments: mail.attachments.map((part) => ({
      filename: part.filename ?? 'file',
      contentType: part.mimeType,
      size: typeof part.content === 'string' ? part.content.length : part.content.byteLength,
    })),
  };
}
