import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { VendorAccount, type ShownRecord, type VendorBehaviour } from '../core/vendor-account.ts';

export const SLACK_TOKEN = 'xoxb-sandbox-slack-token';
/** The app of a consent. */
export const SLACK_APP = { id: 'sandbox-slack-client', secret: 'sandbox-slack-client-secret' };
export const SLACK_SECRET = 'sandbox-slack-signing-secret';

export interface SlackBehaviour extends VendorBehaviour {
  /** The bot was removed from every channel. */
  isRemoved: boolean;
  /** So many of the next posts are made and get no answer. */
  loseNextAnswers: number;
}

export type SlackPost = {
  ts: string;
  channel: string;
  thread: string | null;
  text: string;
  user: string;
  metadata: unknown;
  blocks: unknown;
};

/** A workspace of Slack with three channels, and what was posted there. */
export class SlackAccount extends VendorAccount<SlackBehaviour> {
  readonly channels = [
    { id: 'C0SALES', name: 'sales', is_private: false },
    { id: 'C0SUPPORT', name: 'support', is_private: false },
    { id: 'G0LEADS', name: 'leadership', is_private: true },
  ];
  readonly people = [
    { id: 'U0ANNA', name: 'anna', real_name: 'Anna Ferrer', is_bot: false },
    { id: 'U0BOT', name: 'messaging', real_name: 'Messaging', is_bot: true },
  ];
  posts: SlackPost[] = [];
  /** Of consents, until they are exchanged. */
  readonly codes = new Map<string, { redirectUrl: string; expiresAt: number }>();
  readonly tokens = new Set<string>([SLACK_TOKEN]);

  constructor() {
    super({ isRemoved: false, loseNextAnswers: 0 });
  }

  issueToken(): string {
    const token = `xoxb-sandbox-${randomBytes(16).toString('hex')}`;
    this.tokens.add(token);
    return token;
  }

  add(post: Omit<SlackPost, 'ts'>): SlackPost {
    const at = this.now();
    const ts = `${Math.floor(at / 1000)}.${String((at % 1000) * 1000).padStart(6, '0')}`;
    const added = { ...post, ts };
    this.posts.push(added);
    return added;
  }

  override listRecords(): ShownRecord[] {
    return this.posts.toReversed().map(({ ts, channel, thread, text, user }) => ({
      ...{ id: ts, isDeleted: false },
      values: { channel, thread: thread ?? '', text, user },
    }));
  }

  /** A person writes: `{channel, thread, text}`. It is told by the Events API, signed. */
  override putRecord(
    id: string | null,
    { channel, thread, text, eventId }: Record<string, string>,
  ): ShownRecord {
    if (id !== null) throw new Error('A message stays as it was written.');
    if (!this.channels.some((one) => one.id === channel)) throw new Error(`There is no channel ${channel}.`);
    const place = { channel: channel ?? '', thread: thread || null };
    const post = this.add({ ...place, text: text ?? '', user: 'U0ANNA', metadata: null, blocks: null });
    this.sendEvent(post, eventId || `Ev${randomUUID()}`);
    return this.listRecords()[0]!; // added above
  }

  /** `{type: "event_callback"}` as Slack sends it. */
  sendEvent(post: SlackPost, eventId: string): void {
    const event = {
      ...{ type: 'message', channel: post.channel, user: post.user, text: post.text, ts: post.ts },
      ...(post.thread && { thread_ts: post.thread }),
    };
    this.postSigned({
      ...{ type: 'event_callback', team_id: 'T0SANDBOX', event_id: eventId, event },
      event_time: Math.floor(Number(post.ts)),
    });
  }

  postSigned(body: object): void {
    const text = JSON.stringify(body);
    this.post(text, signSlack(text, Math.floor(this.now() / 1000)));
  }

  override happen(name: string): object {
    if (name !== 'url_verification') return super.happen(name, {});
    const challenge = randomUUID();
    this.postSigned({ type: 'url_verification', token: 'old', challenge });
    return { challenge };
  }

  override deleteRecord(id: string): void {
    this.posts = this.posts.filter(({ ts }) => ts !== id);
  }

  override clearRecords(): void {
    this.posts = [];
  }

  override reset(): void {
    super.reset();
    this.posts = [];
    this.codes.clear();
    this.tokens.clear();
    this.tokens.add(SLACK_TOKEN);
  }
}

export function signSlack(body: string, seconds: number, secret = SLACK_SECRET): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${digest}`,
  };
}
