import type { Database, Queries, Work, WorkKind } from '@app/database/database';
import type { Permission, Role } from '@app/domain/auth/permissions';
import type { LiveTopic } from '@app/domain/live/live-topics';
import type { AttemptLimit } from './attempt-limit.ts';
import type { ActivityEntry } from './audit-log.ts';
import type { LiveEvents } from './live-events.ts';
import type { MediaStore } from './media-store.ts';
import type { MessageSender } from './messaging/message-sender.ts';
import type { TemplatePlatform } from './messaging/template-platform.ts';

export type SignedInUser = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
  /** IANA name, for instance `Europe/Paris`. */
  timezone: string;
};

/** Who calls, for which workspace, and what they may do there. */
export type Session = {
  id: string;
  user: SignedInUser;
  workspaceId: string;
  workspaceSlug: string;
  workspaceName: string;
  isSample: boolean;
  role: Role;
  permissions: readonly Permission[];
  expiresAt: Date;
};

export type Clock = () => Date;

/** What the host gives to the API; the host alone knows which implementation is real. */
export type ApiDependencies = {
  db: Database;
  clock: Clock;
  liveEvents: LiveEvents;
  logger: Logger;
  /** Origin used in links, without a slash at its end. */
  publicUrl: string;
  /** Only this machine can reach the server: the sample workspace with its known password is open. */
  isLocalOnly: boolean;
  /** Encrypts and decrypts stored credentials. */
  secrets: SecretBox;
  mailer: Mailer;
  /** Address of the sandbox that belongs to this installation; a number connected to it is no real one. */
  sandboxUrl: string | undefined;
  templatePlatform: TemplatePlatform;
  messageSender: MessageSender;
  mediaStore: MediaStore;
};

export type Logger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Sends plain mail from the installation's own address; rejects when the mail server does not take it. */
export type Mailer = {
  /** To one person: people whom the same mail goes to are not shown to each other. */
  send(mail: { to: string; subject: string; text: string; replyTo?: string }): Promise<void>;
};

export type SecretBox = {
  seal(plain: string): Promise<string>;
  open(sealed: string): Promise<string>;
  /** The same text gives the same short text, which nobody without the key can make or read back. */
  fingerprint(text: string): string;
};

/** What every handler receives. `session` is there unless the endpoint is public. */
export type RequestContext = ApiDependencies & {
  requestId: string;
  ipAddress: string | null;
  userAgent: string | null;
  /** The caller's own text for this act; the same act under the same key is done once. */
  idempotencyKey: string | null;
  session: Session | null;
  enquiryLimit: AttemptLimit;
};

/** The context behind the access guard: the caller is known and permitted. */
export type SignedInContext = RequestContext & {
  session: Session;
  /** One transaction that sees the caller's workspace only. */
  inWorkspace<Result>(work: Work<Result>): Promise<Result>;
  /** The same for work that is not interactive. */
  inWorkspaceFor<Result>(kind: WorkKind, work: Work<Result>): Promise<Result>;
  /** Writes an audit entry in the caller's name, inside the transaction of the change that it tells of. */
  recordActivity(tx: Queries, entry: ActivityEntry): Promise<void>;
  /** For what must not happen unless the change is committed, such as the removal of a file. */
  afterCommit(work: () => Promise<unknown>): Promise<void>;
  /** Tells every open browser of the workspace, after the change is committed. */
  publish(topic: LiveTopic, payload?: Record<string, unknown>): Promise<void>;
};
