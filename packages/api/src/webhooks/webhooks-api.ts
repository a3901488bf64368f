import type { Hono } from 'hono';
import type { ErrorCode } from '@app/contracts/errors';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import type { WebhookCallState } from '@app/domain/webhooks/webhook-call';
import { SMALL_BODY } from '../platform/http-edge/body-rules.ts';
import { openBody, type BodyReader } from '../platform/http-edge/read-body.ts';
import { describeRefusal, refuse } from '../platform/http-edge/refuse.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { createCallLog } from './calls/call-log.ts';
import { EventBufferFull } from './event-writer.ts';
import { createLargeReader } from './large-webhooks.ts';
import type { JoinContacts } from './find-contacts.ts';
import type { StoredEvent } from './keep-events.ts';
import type { AccountVerdictHandler, AgentStateHandler, TemplateEventHandler } from './store-events.ts';
import { createWebhookChannels, type WebhookChannel } from './webhook-channels.ts';
import { createEventStore } from './write-events.ts';

/** A signature that is wrong may be of a secret that was changed a moment ago; but not each of many guesses is looked up. */
const DOUBTED_MS = 500;

export type WebhookDependencies = Pick<
  ApiDependencies,
  | 'db'
  | 'storage'
  | 'clock'
  | 'facts'
  | 'jobs'
  | 'logger'
  | 'secrets'
  | 'isLocalOnly'
  | 'channelKinds'
  | 'stopping'
> & {
  onTemplateEvent: TemplateEventHandler;
  onAccountVerdict: AccountVerdictHandler;
  onAgentState: AgentStateHandler;
  joinContacts: JoinContacts;
  readIpAddress(request: Request, environment: unknown): string | null;
  /** Called for each event that was set aside. */
  countDeadLetters?: (() => void) | undefined;
};

/**
 * `GET` and `POST /webhooks/{kind}/{workspace slug}`: the platform's handshake, and its signed events, which are
 * answered 200 only after they are committed. Returns a shorter way for the second, which skips the search for a route: these requests
 * are by far the most.
 */
export function mountWebhooks(app: Hono, dependencies: WebhookDependencies): WebhookDoor {
  const { db, clock, logger, channelKinds, readIpAddress, storage } = dependencies;
  const findChannels = createWebhookChannels(db.systemPool, dependencies);
  const writer = createEventStore(dependencies);
  const readLarge = createLargeReader();

  const noteCall = createCallLog(dependencies);
  const answerNoting = async (
    kind: ChannelKind,
    work: (heard: Heard) => Promise<Response>,
  ): Promise<Response> => {
    const startedAt = performance.now();
    const heard: Heard = { state: 'received', workspaceId: null, bytes: 0, body: null, ...UNPROVEN };
    const response = await work(heard);
    const { workspaceId } = heard;
    const milliseconds = Math.round(performance.now() - startedAt);
    if (workspaceId !== null)
      noteCall({ ...heard, workspaceId, kind, at: clock(), status: response.status, milliseconds });
    return response;
  };

  app.get('/webhooks/:kind/:slug', async (c) => {
    const kind = channelKinds.find(c.req.param('kind'));
    const handshake = kind?.webhooks.handshake;
    if (!kind || handshake?.method !== 'GET') return refuse('address_unknown');
    const query = new URL(c.req.url).searchParams;
    return answerNoting(kind, async (heard) => {
      // Rare, and often right after somebody changed the word.
      const channels = await findChannels(kind, c.req.param('slug'), clock().getTime(), { keptMs: 0 });
      heard.workspaceId = channels[0]?.workspaceId ?? null;
      const shaken = shakeHands(channels, (credentials) => handshake.answer(credentials, query));
      if (shaken) {
        Object.assign(heard, { state: 'handshake', ...shaken });
        return c.text(shaken.answer);
      }
      heard.state = 'token_wrong';
      return turnDown(heard, 'webhook_token_wrong');
    });
  });

  app.post('/webhooks/:kind/:slug', async (c) => {
    const kind = channelKinds.find(c.req.param('kind'));
    if (!kind) return refuse('address_unknown');
    return take(kind, c.req.param('slug'), c.req.raw, c.env);
  });

  function take(kind: ChannelKind, slug: string, request: Request, environment: unknown): Promise<Response> {
    return answerNoting(kind, (heard) => receive({ kind, slug, request, environment }, heard));
  }

  async function receive({ kind, slug, request, environment }: Call, heard: Heard): Promise<Response> {
    const { headers } = request;
    let channels = await findChannels(kind, slug, clock().getTime());
    heard.workspaceId = channels[0]?.workspaceId ?? null;
    const isSigned = kind.webhooks.mayBeSigned(headers);
    heard.state = 'signature_missing';
    // Whom nobody here knows, and who proves nothing, is not listened to.
    if (channels.length === 0 || !(isSigned || kind.webhooks.handshake.method === 'POST'))
      return turnDown(heard, 'webhook_unsigned');
    const body = openBody(request);
    const isSmall = await body.readUpTo(SMALL_BODY);
    if (!isSigned) {
      // Rare, and often right after a user connected the channel.
      const shaking = isSmall ? await findChannels(kind, slug, clock().getTime(), { keptMs: 0 }) : [];
      const shaken = answerPosted(kind, shaking, body);
      if (!shaken) return turnDown(heard, 'webhook_unsigned');
      Object.assign(heard, { state: 'handshake', ...shaken });
      return new Response(shaken.answer);
    }
    heard.state = 'too_large';
    if (!isSmall) {
      // One share for a workspace, whichever kinds it has.
      const sender = { slug, address: readIpAddress(request, environment) };
      if (!(await readLarge(body, sender))) return turnDown(heard, 'body_too_large');
    }
    const rawBody = body.bytes();
    heard.bytes = rawBody.byteLength;
    const findSigner = (among: readonly WebhookChannel[]) =>
      among.find(({ credentials }) => kind.webhooks.isSigned(credentials, rawBody, headers));
    let signer = findSigner(channels);
    if (!signer) {
      channels = await findChannels(kind, slug, clock().getTime(), { keptMs: DOUBTED_MS });
      signer = findSigner(channels);
    }
    if (!signer) {
      heard.state = 'signature_wrong';
      return turnDown(heard, 'webhook_unsigned');
    }
    heard.body = rawBody;
    const events = kind.webhooks.parse(rawBody);
    if (events === null) return turnDown(heard, 'body_too_large');
    const isSignedFor = ({ credentials }: WebhookChannel) =>
      kind.webhooks.isSigned(credentials, rawBody, headers);
    const stored = assignChannels(events, { kind, signer, channels, isSignedFor });
    if (stored === null) {
      heard.state = 'signature_wrong';
      return turnDown(heard, 'webhook_unsigned');
    }
    heard.channelIds = [...new Set(stored.flatMap(({ channelId }) => channelId ?? []))];
    try {
      await writer.write(stored);
      heard.state = 'received';
      heard.answer = TAKEN;
      return new Response(TAKEN);
    } catch (error) {
      storage?.note(error);
      if (!(error instanceof EventBufferFull)) logger.error({ err: error }, 'a webhook could not be stored');
      heard.state = 'busy';
      return turnDown(heard, 'server_busy');
    }
  }

  return (request, environment) => {
    if (request.method !== 'POST') return null;
    const [, name = '', slug = ''] = CHANNEL_ADDRESS.exec(request.url) ?? [];
    const kind = name === '' ? undefined : channelKinds.find(name);
    return kind ? take(kind, slug, request, environment) : null;
  };
}

/** Answers a request to the address of a channel. Null for every other request, which must go the way of all. */
export type WebhookDoor = (request: Request, environment: unknown) => Promise<Response> | null;

/** As the product writes it: without escapes and without a query. */
const CHANNEL_ADDRESS = /^https?:\/\/[^/?#]+\/webhooks\/([a-z0-9-]+)\/([a-z0-9-]+)$/;

type Call = { kind: ChannelKind; slug: string; request: Request; environment: unknown };

/** What is noted of one call. */
type Heard = {
  state: WebhookCallState;
  /** Null while nobody here is called. */
  workspaceId: string | null;
  bytes: number;
  body: Uint8Array | null;
  channelIds: readonly string[];
  answer: string | null;
};

const UNPROVEN = { channelIds: [], answer: null };
const TAKEN = 'OK';

function turnDown(heard: Heard, code: ErrorCode): Response {
  heard.answer = JSON.stringify(describeRefusal(code));
  return refuse(code);
}

/** Numbers of one account have one word: each whose word is right is meant. */
function shakeHands(
  channels: readonly WebhookChannel[],
  answerOf: (credentials: Credentials) => string | null,
): { answer: string; channelIds: string[] } | null {
  const answers = channels.map(({ channelId, credentials }) => ({
    channelId,
    answer: answerOf(credentials),
  }));
  const answer = answers.find((one) => one.answer !== null)?.answer ?? null;
  if (answer === null) return null;
  const channelIds = answers.filter((one) => one.answer !== null).map(({ channelId }) => channelId);
  return { answer, channelIds };
}

/** Of a kind that shakes hands by a request with a body. */
function answerPosted(
  { webhooks: { handshake } }: ChannelKind,
  channels: readonly WebhookChannel[],
  body: BodyReader,
) {
  if (handshake.method !== 'POST') return null;
  return shakeHands(channels, (credentials) => handshake.answer(credentials, body.bytes()));
}

type Receivers = {
  kind: ChannelKind;
  signer: WebhookChannel;
  channels: readonly WebhookChannel[];
  isSignedFor(channel: WebhookChannel): boolean;
};

/** An event belongs to the channel of its address. Null if the secret of another channel signs it. */
function assignChannels(
  events: readonly InboundEvent[],
  { kind, signer, channels, isSignedFor }: Receivers,
): StoredEvent[] | null {
  const isOfChannel = kind.webhooks.signedBy === 'channel';
  const stored = events.map((arrived) => {
    const channel = channels.find(({ address }) => address === arrived.address);
    const isOfAccount = arrived.address === null;
    const event = channel || isOfAccount || !isOfChannel ? arrived : withoutEffect(arrived);
    const channelId = channel?.channelId ?? (isOfAccount ? signer.channelId : null);
    const isProven = !isOfChannel || !channel || channel === signer || isSignedFor(channel);
    return { isProven, of: { ...{ event, kind: kind.name, workspaceId: signer.workspaceId }, channelId } };
  });
  return stored.every(({ isProven }) => isProven) ? stored.map(({ of }) => of) : null;
}

/** An event for an address that is not ours changes nothing here. It is kept without what it says of a person. */
function withoutEffect({ type, dedupKey, occurredAt, account, address }: InboundEvent): InboundEvent {
  return {
    ...{ dedupKey, occurredAt, account, address, raw: { address } },
    ...{ type: 'unknown', field: type, reason: 'unknown_address' },
  };
}
