import type { ChannelCapabilities } from './channel-capabilities.ts';
import type { ChannelConnector } from './channel-connector.ts';
import type { CredentialForm, Credentials } from './channel-credentials.ts';
import type { OpenChannel } from './open-channel.ts';
import type { WebhookReader } from './webhook-reader.ts';

/** One way to reach people. All that the product knows of a vendor is behind this. */
export type ChannelKind = {
  /** Stands in rows, in the address of the webhooks and in keys of the catalogues. */
  name: string;
  credentials: CredentialForm;
  capabilities: ChannelCapabilities;
  rates: ChannelRates;
  webhooks: WebhookReader;
  open(credentials: Credentials, options: OpenOptions): OpenChannel;
  /** Where people can connect a number themselves. */
  connector?: ChannelConnector;
};

export type ChannelRates = {
  /** Of a channel that was just connected; each row has its own from then on. */
  messagesPerSecond: number;
  /** What the platform counts: what we send, or also what people write. */
  counts: 'sent' | 'sent_and_received';
};

export type OpenOptions = {
  /** Calls in flight at most. */
  connections: number;
};

/** The kinds that this installation has, by name. */
export type ChannelKinds = {
  /** Undefined for a name that nobody registered. */
  find(name: string): ChannelKind | undefined;
  /** Of a stored channel; a name that is not there is a bug. */
  of(channel: { kind: string }): ChannelKind;
  names: readonly string[];
};

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Throws on two kinds of one name, and on a name that cannot stand in an address. */
export function indexChannelKinds(kinds: readonly ChannelKind[]): ChannelKinds {
  const byName = new Map<string, ChannelKind>();
  for (const kind of kinds) {
    if (!NAME.test(kind.name)) throw new Error(`"${kind.name}" cannot name a kind of channel.`);
    if (byName.has(kind.name)) throw new Error(`Two kinds of channels are called "${kind.name}".`);
    byName.set(kind.name, kind);
  }
  return {
    find: (name) => byName.get(name),
    of({ kind: name }) {
      const kind = byName.get(name);
      if (!kind) throw new Error(`There is no kind of channel called "${name}".`);
      return kind;
    },
    names: [...byName.keys()],
  };
}
