import type { ContentType } from '../channel-kinds/content-type.ts';
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
  /** User agents of programs of the platform that open links of messages to show a preview: they are no clicks. */
  previewAgents?: RegExp;
  /** A channel that our stand-in of the platform knows from its start. */
  sandbox?: SandboxChannel;
};

/** The credentials open nothing but a sandbox, so they may stand in the code. */
export type SandboxChannel = { displayName: string; credentialsAt: (sandboxUrl: string) => Credentials };

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

/** The forms of messages that all of these kinds add. */
export function contentsOf({ names, of }: ChannelKinds): readonly ContentType[] {
  return names.flatMap((kind) => of({ kind }).capabilities.contents);
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Throws on two kinds of one name, on a name that cannot stand in an address, and on two content types of one name. */
export function indexChannelKinds(kinds: readonly ChannelKind[]): ChannelKinds {
  const byName = new Map<string, ChannelKind>();
  for (const kind of kinds) {
    if (!NAME.test(kind.name)) throw new Error(`"${kind.name}" cannot name a kind of channel.`);
    if (byName.has(kind.name)) throw new Error(`Two kinds of channels are called "${kind.name}".`);
    checkContents(kind);
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

/** A content type names its kind, and no other of the kind has its name. */
function checkContents({ name, capabilities: { contents } }: ChannelKind): void {
  for (const { kind, name: form } of contents) {
    if (kind !== name) throw new Error(`The kind "${name}" has a content type of the kind "${kind}".`);
    if (contents.filter((one) => one.name === form).length > 1)
      throw new Error(`The kind "${name}" has two content types called "${form}".`);
  }
}
