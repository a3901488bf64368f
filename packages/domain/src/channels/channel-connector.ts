import type { AgentDesk, AgentState } from './agent-desk.ts';
import type { Credentials } from './channel-credentials.ts';
import type { NumberHealth, Quality } from './number-standing.ts';
import type { PlatformAnswer } from './platform-answer.ts';

/** How people connect a number of one kind, and look after the account behind it. */
export type ChannelConnector = {
  /** The field that says where calls go, what stands in it for the real platform, and the path below a stand-in of it. */
  server: { field: string; platform: string; standInPath: string };
  /** The field with what the platform calls the number. */
  addressField: string;
  /** The field with the account that the number is of: numbers of one account share its templates. */
  accountField: string;
  /** The field with the word by which the platform proves itself before it sends anything; we choose it. */
  webhookToken: string;
  /** Fields without which nothing can be asked. */
  least: readonly string[];
  /** Tries each value by itself, as far as the others that it needs are there. */
  prove(credentials: Credentials): Promise<ConnectionCheck>;
  /** Which act of a person lifts a stop with this code; null when neither does. */
  mendedBy(code: string): 'credentials' | 'registration' | null;
  open(credentials: Credentials): AccountDesk;
  /** Where what sends is an agent, which the platform launches and may suspend. */
  agent?: AgentConnector;
};

export type AgentConnector = {
  open(credentials: Credentials): AgentDesk;
  /** Asks the platform whether the agent may send; null where it does not say. */
  readState(credentials: Credentials): Promise<AgentState | null>;
  /** Codes of stops that end when the platform lets the agent send again. */
  stops: readonly string[];
};

/** Each is told with its next step in words. */
export const connectionProblems = [
  'token_expired',
  'token_invalid',
  'token_lacks_permission',
  'token_ends_soon',
  'app_of_another_token',
  'app_unknown',
  'app_secret_wrong',
  'account_unknown',
  'number_unknown',
  'number_of_another_account',
  'number_not_registered',
  'key_unreadable',
  'key_refused',
  'agent_unknown',
  'platform_away',
  'platform_busy',
  'platform_refused',
] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];

export type FieldCheck = {
  field: string;
  /** `unproven`: another value must be right first, or the platform did not answer. */
  state: 'right' | 'wrong' | 'unproven';
  /** Also beside a right value, when something is to be done about what it names. */
  problem: ConnectionProblem | null;
  /** What the problem is about, such as the permissions that are missing, or the instant at which it comes. */
  detail: string | null;
};

/** Before what opens a number ends, its owner hears of it for so long. */
export const ENDS_SOON_MS = 7 * 24 * 3_600_000;

export type ConnectionCheck = {
  fields: readonly FieldCheck[];
  accountName: string | null;
  /** How people know the number or agent. */
  displayName: string | null;
  /** As far as the platform says. */
  messagesPerSecond: number | null;
  /** When these values open nothing any more by themselves; null for never, or while it is not known. */
  endsAt: Date | null;
};

/** The account of a channel as its owner looks after it. No call throws for what the platform says. */
export type AccountDesk = {
  numbers(): Promise<PlatformAnswer<AccountNumber[]>>;
  /** One of them, with all that it stands on. */
  number(address: string): Promise<PlatformAnswer<AccountNumber>>;
  /** Has the platform send a code to the number, by text or by voice. */
  requestCode(address: string, by: 'sms' | 'voice', language: string): Promise<PlatformAnswer<null>>;
  verifyCode(address: string, code: string): Promise<PlatformAnswer<null>>;
  /** Lets the number send. The PIN is set by the first registration and asked for by every later one. */
  register(address: string, pin: string): Promise<PlatformAnswer<null>>;
  /** Where the platform sends what happens. */
  subscription(): Promise<PlatformAnswer<AccountSubscription>>;
  /** Has the platform send all that happens in this account to this address, which it calls at once to be sure. */
  subscribe(address: string, webhookToken: string): Promise<PlatformAnswer<AccountNews>>;
  close(): Promise<void>;
};

export type AccountNumber = {
  /** What the platform calls it. */
  address: string;
  displayNumber: string;
  name: string | null;
  quality: Quality;
  /** Null where it was not asked for: a list of numbers leaves it out. */
  health: NumberHealth | null;
  /** In the platform's words, small letters. */
  status: string | null;
  nameStatus: string | null;
  codeStatus: string | null;
  maySend: boolean;
  hasPin: boolean;
  /** How many people a day may be written to first, as far as the platform says. */
  peopleADay: number | 'unlimited' | null;
  messagesPerSecond: number | null;
};

export type AccountSubscription = {
  isSubscribed: boolean;
  /** Where what happens is sent; null where the platform does not say. */
  address: string | null;
  /** Where it goes of accounts without an address of their own. */
  appAddress: string | null;
  /** Kinds of news, as the vendor calls them, that the product needs and is not sent; null where the platform does not say. */
  missing: readonly string[] | null;
};

/** What came of asking for all kinds of news. */
export type AccountNews = {
  added: readonly string[];
  /** Null where the platform does not say. */
  missing: readonly string[] | null;
  appAddress: string | null;
  /** Why those that are missing could not be had, in the platform's words. */
  reason: string | null;
};
