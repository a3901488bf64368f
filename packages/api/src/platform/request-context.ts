import type { StorageWatch } from './storage/storage-watch.ts';
import type { ArchiveOptions } from '@app/database/backup/take-archive';
import type { Taken } from '@app/database/backup/take-backup';
import type { Database, WorkKind } from '@app/database/database';
import type { Caller } from '@app/domain/auth/caller';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { AiModels } from '@app/domain/chatbot/model/ai-models';
import type { TextReader } from '@app/domain/chatbot/knowledge/text-reader';
import type { CompanyProvider } from '@app/domain/company-sign-in/company-provider';
import type { ConnectorKinds } from '@app/domain/integrations/connector-kind';
import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Permission, Role } from '@app/domain/auth/permissions';
import type { SignInMethod } from '@app/domain/auth/reauthentication';
import type { AttemptLimit } from './http-edge/attempt-limit.ts';
import type { Clock } from './clock.ts';
import type { FactLog } from './facts/fact-log.ts';
import type { InstallationBackups } from './backups/installation-backups.ts';
import type { Jobs } from './jobs/enqueue-job.ts';
import type { LiveEvents } from './live-events.ts';
import type { Logger } from './logger.ts';
import type { Mailer } from './jobs/mailer.ts';
import type { PushGate } from './jobs/push-gate.ts';
import type { MediaStore } from './media-store.ts';
import type { PeopleData } from './person-data/gather-person-data.ts';
import type { MessageSender } from './message-sender.ts';
import type { TemplatePlatform } from './template-platform.ts';
import type { Origin } from './origin.ts';
import type { Viewers } from './live/viewers.ts';
import type { ReadScope, WorkspaceScope } from './workspace-scope.ts';

export type SignedInUser = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
  /** IANA name, for instance `Europe/Paris`. */
  timezone: string;
  language: InterfaceLanguage | null;
  /** As stored; `readPreferences` fills in what was never chosen. */
  preferences: Record<string, unknown>;
};

/** Who calls, for which workspace, and what they may do there: a person in a browser, or a program with a key of theirs. */
export type Session = {
  /** Of the session, or of the key. */
  id: string;
  /** The key that the request brought in place of a cookie. What is not meant for keys never meets one. */
  key: { id: string; name: string } | null;
  user: SignedInUser;
  workspaceId: string;
  workspaceSlug: string;
  workspaceName: string;
  /** What customers know the business by. */
  businessName: string;
  /** Address of its logo. */
  logo: string | null;
  /** What a new campaign begins with. */
  quietHours: QuietHours | null;
  isSample: boolean;
  role: Role;
  permissions: readonly Permission[];
  expiresAt: Date;
  method: SignInMethod;
  /** When the person last proved who they are. */
  provenAt: Date | null;
  /** Their workspace asks for a second factor that they do not have: they may do nothing else yet. */
  mustSetUpTwoFactor: boolean;
};

/** Looks at the caller's own password, within the limits of sign-in. */
export type OwnPassword = {
  check(session: Session, password: string): Promise<OwnPasswordVerdict>;
  /** When its turn has come: a hash takes a processor core for a while. */
  hash(password: string): Promise<string>;
  /** Ids of those of a workspace whose password is the sample's, which everybody knows. Each takes a core for a while. */
  findKnown(workspaceId: string): Promise<string[]>;
};
export type OwnPasswordVerdict =
  | { outcome: 'right' | 'wrong' | 'missing' }
  | { outcome: 'locked'; retryAfterSeconds: number };

/** What the host gives to the API; the host alone knows which implementation is real. */
export type ApiDependencies = {
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
  db: Database;
  /** What is known of the disks; only of the database where it is missing. */
  storage?: StorageWatch;
  clock: Clock;
  liveEvents: LiveEvents;
  viewers: Viewers;
  facts: FactLog;
  jobs: Jobs;
  logger: Logger;
  /** Origin used in links, without a slash at its end. */
  publicUrl: string;
  /** Only this machine can reach the server: the sample workspace with its known password is open. */
  isLocalOnly: boolean;
  /** Encrypts and decrypts stored credentials. */
  secrets: SecretBox;
  mailer: Mailer;
  push: PushGate;
  /** HTTP to third parties: guarded, bounded, logged without secrets. */
  calls: OutgoingCalls;
  /** AI models of the provider that a workspace has connected. */
  aiModels: AiModels;
  /** The text of files and pages. */
  readText: TextReader;
  /** The services that a workspace can connect. */
  connectorKinds: ConnectorKinds;
  /** Address of the sandbox that belongs to this installation; a number connected to it is no real one. */
  sandboxUrl: string | undefined;
  /** What each kind of channel can do. */
  channelKinds: ChannelKinds;
  templatePlatform: TemplatePlatform;
  messageSender: MessageSender;
  mediaStore: MediaStore;
  /** What all features together know of people. */
  people: PeopleData;
  /** Where an address of the network is, as far as the operator's file knows; null without one. */
  findPlace(ipAddress: string): Place | null;
  /** The company's own provider, where the operator has named one. */
  companyProvider: CompanyProvider | null;
  /** The operator has a mail server of their own: addresses of new accounts are confirmed by mail. */
  confirmsAddresses: boolean;
  /** Mail goes somewhere: to the operator's server, or to the box of the sandbox. */
  sendsMail: boolean;
  /** Backups that the product takes by itself; null where the operator has named no place for them. */
  backups: InstallationBackups | null;
  /** Writes one workspace as one moment saw it, with its files, into the sink. */
  takeArchive(wanted: WantedArchive): Promise<Taken>;
};

/** The rest the host knows. */
export type WantedArchive = Omit<ArchiveOptions, 'url' | 'files' | 'secrets'>;

/** `country` is an ISO code of two letters. */
export type Place = { city: string | null; country: string | null };

export type SecretBox = {
  seal(plain: string): Promise<string>;
  open(sealed: string): Promise<string>;
  /** The same text gives the same short text, which nobody without the key can make or read back. */
  fingerprint(text: string): string;
};

/** What every handler receives. `session` and `caller` are there unless the endpoint is public. */
export type RequestContext = ApiDependencies &
  Origin & {
    requestId: string;
    /** The caller's own text for this act; the same act under the same key is done once. */
    idempotencyKey: string | null;
    session: Session | null;
    caller: Caller | null;
    enquiryLimit: AttemptLimit;
    ownPassword: OwnPassword;
  };

/** The context behind the access guard: the caller is known and permitted. */
export type SignedInContext = RequestContext &
  RequestScopes & {
    session: Session;
    caller: Caller;
  };

/** The ways of a handler to the database; they join the transaction of an act that is done once. */
export type RequestScopes = {
  read<Result>(work: ScopedRead<Result>): Promise<Result>;
  /** The same for work that goes through every row to find a page or a number, or reads a whole audience. */
  read<Result>(kind: WorkKind, work: ScopedRead<Result>): Promise<Result>;
  /** All that it reads is of one moment: for an answer whose figures must add up while others change them. */
  readAtOneMoment<Result>(work: ScopedRead<Result>): Promise<Result>;
  /** One transaction on a connection of the kind that the contract names (`work`). */
  change<Result>(work: (scope: WorkspaceScope) => Promise<Result>): Promise<Result>;
};
export type ScopedRead<Result> = (scope: ReadScope) => Promise<Result>;
