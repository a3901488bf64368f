import type { CredentialField, Credentials } from '../channels/channel-credentials.ts';
import type { CallLimit, CallOutcome, OutgoingCall } from '../network/outgoing-calls.ts';
import type { ConnectorProblem } from './connector-problems.ts';
import type { ConnectorItem, ItemConnector } from './connector-items.ts';
import type { ContactConnector, ContactExchange, Reply } from './contact-connector.ts';
import type { EventConnector, EventExchange } from './event-connector.ts';

/** The buttons of the integrations page, in their order. */
export const connectorCategories = [
  'crm',
  'email',
  'ecommerce',
  'analytics',
  'productivity',
  'communication',
  'automation',
] as const;
export type ConnectorCategory = (typeof connectorCategories)[number];

/** How the Automation page groups them. */
export const connectorTypes = ['crm', 'email', 'ecommerce', 'analytics', 'zapier', 'webhook'] as const;
export type ConnectorType = (typeof connectorTypes)[number];

/** One service that the product exchanges data with. All that it knows of the vendor is behind this. */
export type ConnectorKind = {
  /** Stands in rows, in addresses (`/api/integrations/{kind}`) and in keys of the catalogues. */
  name: string;
  /** The vendor's name, as people write it. */
  title: string;
  category: ConnectorCategory;
  /** Null where the Automation page has no card for it. */
  type: ConnectorType | null;
  /** Keys of the words for what it can do; a card shows at most three. */
  features: readonly string[];
  credentials: ConnectorForm;
  /** Where at the vendor people create what the form asks for. The addresses of ours are for a vendor whose page can be filled in by its link: where it calls, and where a consent comes back. */
  setupUrl?(address: { webhookUrl: string; redirectUrl: string }): string;
  /** What the vendor allows, for all calls of one workspace. */
  limit: CallLimit;
  /** How it exchanges contacts; absent for one that only hears of events. */
  contacts?: ContactExchange;
  /** How it hears of what happens here; absent for one that does not. */
  events?: EventExchange;
  /** How the vendor calls back at `POST /webhooks/{kind}/{workspace slug}`; absent where it does not. */
  webhooks?: ConnectorWebhooks;
  /** How a person allows the connection on a page of the vendor, in place of a pasted key; absent where there is none. */
  consent?: ConnectorConsent;
  /** Values with which the stand-in of the sandbox opens; absent in an installation without one. */
  sandbox?: Credentials;
  open(credentials: Credentials, options: { call: ConnectorCall }): Connector;
};

/** OAuth 2.0 with an app of the operator's own. */
export type ConnectorConsent = {
  /** What the app is known by. It is used once and not stored. */
  fields: readonly ConnectorField[];
  /** Values with which the stand-in of the sandbox opens. */
  sandbox?: Credentials;
  /** The page of the vendor. It sends the browser back to `redirectUrl`, with `state` and `code` or `error`. */
  addressOf(app: Credentials, back: { redirectUrl: string; state: string }): string;
  /** The credentials that a code stands for. A code is taken once. */
  exchange(
    app: Credentials,
    given: { code: string; redirectUrl: string },
    options: { call: ConnectorCall },
  ): Promise<Reply<Credentials>>;
};

/** Of a request, by name in any case. */
export type ReadHeaders = { get(name: string): string | null };

/** What a vendor calls back with. A call that is not signed is answered 401 and changes nothing. */
export type ConnectorWebhooks = {
  /** `Connector.subscribe` enters our address at the vendor: no person has to. */
  subscribesItself?: true;
  /** `url` is the public address that the vendor called. `now` bounds how old a signed call may be. */
  isSigned(
    credentials: Credentials,
    request: { method: string; url: string; headers: ReadHeaders; body: Uint8Array; now: Date },
  ): boolean;
  /**
   * External ids of the contacts that changed or went, each once; `unnamed` where it does not say which, and a sync looks. Null for a body that
   * cannot be read. Doubles are harmless.
   */
  readChanged(body: Uint8Array, headers: ReadHeaders): readonly string[] | 'unnamed' | null;
  /** Orders and the like that it brings whole. */
  readItems?(body: Uint8Array, headers: ReadHeaders): readonly ConnectorItem[];
  /** What the vendor wants to read to know the address as ours; null for every other call. */
  answer?(body: Uint8Array): string | null;
  /** What people wrote where a conversation is talked about; each goes to its contact, once. */
  readReplies?(body: Uint8Array): readonly ConnectorReply[];
};

/**
 * `id` is the same when the vendor calls again. `target` and `thread` are those of the event that was sent there. `text` is empty where there are
 * only files. Files are not sent on: who attached them is told.
 */
export type ConnectorReply = { id: string; target: string; thread: string; text: string; hasFiles: boolean };

/** What people fill in to connect it. */
export type ConnectorForm = {
  /** Goes up when the meaning of the fields changes; rows say under which one they were written. */
  version: number;
  fields: readonly ConnectorField[];
};
export type ConnectorField = CredentialField & {
  format: 'text' | 'digits' | 'url';
  /** May stay empty: it opens a further part, such as webhooks. */
  isOptional?: true;
  /** Few people need it: the form shows it behind one press. */
  isAdvanced?: true;
  /** No form asks for it: a consent brings it. Rows that are older than it have none. */
  isHidden?: true;
};

/** A call in the name of the connector: its service and its limit are set, so that no connector can forget them. */
export type ConnectorCall = (call: Omit<OutgoingCall, 'service' | 'limit'>) => Promise<CallOutcome>;

/** A connected account. No part throws for what the vendor says. */
export type Connector = {
  /** Asks the vendor whether these credentials work. `isNew`: before they are stored, when a test that people can see is allowed. */
  check(options?: { isNew: boolean }): Promise<ConnectorHealth>;
  /** Asks the vendor to call back at this public address, unless it does already. What it refuses is no problem: each sync reads what changed. */
  subscribe?(url: string): Promise<void>;
  /** Gives back what a consent brought, and takes out what `subscribe` entered for this address, when the connection ends. What the vendor says to it changes nothing. */
  revoke?(url: string): Promise<void>;
  /** There where the kind exchanges contacts. */
  contacts?: ContactConnector;
  /** There where the kind has orders, bookings and the like. */
  items?: ItemConnector;
  /** There where the kind hears of events. */
  events?: EventConnector;
};

export type ConnectorHealth =
  /** `account` is what the vendor calls the account, for people to recognise. */
  | { state: 'healthy'; account: string | null }
  /**
   * `detail` are the vendor's own words, at most 300 characters, never a secret. `field` is what has to be corrected, where it is not the one that
   * `refusedField` finds.
   */
  | { state: 'unhealthy'; problem: ConnectorProblem; detail: string | null; field?: string };

/** The problem that an outcome shows, for connectors that have no better reading of their own; null for `ok`. */
export function problemOfCall(outcome: CallOutcome): ConnectorProblem | null {
  switch (outcome.outcome) {
    case 'ok':
      return null;
    case 'unknown':
      return 'service_away';
    case 'not_sent':
      if (outcome.reason === 'rate_limited') return 'service_busy';
      return outcome.reason === 'address_refused' || outcome.reason === 'invalid_address'
        ? 'address_refused'
        : 'service_away';
    case 'rejected': {
      const { status } = outcome.response;
      if (status === 401) return 'credentials_wrong';
      if (status === 403) return 'permission_missing';
      if (status === 404) return 'account_unknown';
      if (status === 429) return 'service_busy';
      return status >= 500 || status === 408 ? 'service_away' : 'service_rejected';
    }
  }
}

/** The kinds that this installation has, by name. */
export type ConnectorKinds = {
  /** Undefined for a name that is not registered. */
  find(name: string): ConnectorKind | undefined;
  /** Of a stored connection; a name that is not there is a bug. */
  of(connection: { kind: string }): ConnectorKind;
  /** In the order in which they were registered. */
  all: readonly ConnectorKind[];
};

const NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Throws on two kinds of one name, on a name that cannot stand in an address, and on two fields of one name. */
export function indexConnectorKinds(kinds: readonly ConnectorKind[]): ConnectorKinds {
  const byName = new Map<string, ConnectorKind>();
  for (const kind of kinds) {
    if (!NAME.test(kind.name)) throw new Error(`"${kind.name}" cannot name a connector.`);
    if (byName.has(kind.name)) throw new Error(`Two connectors are called "${kind.name}".`);
    const fields = kind.credentials.fields.map(({ name }) => name);
    if (new Set(fields).size < fields.length) throw new Error(`"${kind.name}" has two fields of one name.`);
    byName.set(kind.name, kind);
  }
  return {
    find: (name) => byName.get(name),
    of({ kind: name }) {
      const kind = byName.get(name);
      if (!kind) throw new Error(`There is no connector called "${name}".`);
      return kind;
    },
    all: [...byName.values()],
  };
}
