import type { Hono } from 'hono';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { SMALL_BODY } from '../platform/rim/body-rules.ts';
import { openBody, type BodyReader } from '../platform/rim/read-body.ts';
import { refuse } from '../platform/rim/refuse.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { EventBufferFull } from './event-writer.ts';
import { createLargeReader } from './large-webhooks.ts';
import type { JoinContacts } from './find-contacts.ts';
import type { StoredEvent } from './keep-events.ts';
import type { TemplateEventHandler } from './store-events.ts';
import { createWebhookChannels, type WebhookChannel } from './webhook-channels.ts';
import { createEventStore } from './write-events.ts';

export type WebhookDependencies = Pick<
  ApiDependencies,
  'db' | 'clock' | 'facts' | 'jobs' | 'logger' | 'secrets' | 'isLocalOnly' | 'channelKinds'
> & {
  onTemplateEvent: TemplateEventHandler;
  joinContacts: JoinContacts;
  readIpAddress(request: Request, environment: unknown): string | null;
  /** Called for each event that was set aside. */
  countSetAside?: (() => void) | undefined;
};

/**
 * `GET` and `POST /webhooks/{kind}/{workspace slug}`: the platform's handshake, and its signed events, which are
 * answered 200 only after they are committed.
 */
export function mountWebhooks(app: Hono, dependencies: WebhookDependencies): void {
  const { db, clock, logger, channelKinds, readIpAddress } = dependencies;
  const findChannels = createWebhookChannels(db.systemPool, dependencies);
  const writer = createEventStore(dependencies);
  const readLarge = createLargeReader();

  app.get('/webhooks/:kind/:slug', async (c) => {
    const kind = channelKinds.find(c.req.param('kind'));
    const handshake = kind?.webhooks.handshake;
    if (!kind || handshake?.method !== 'GET') return refuse('address_unknown');
    const query = new URL(c.req.url).searchParams;
    for (const { credentials } of await findChannels(kind, c.req.param('slug'), clock().getTime())) {
      const answer = handshake.answer(credentials, query);
      if (answer !== null) return c.text(answer);
    }
    return refuse('webhook_token_wrong');
  });

  app.post('/webhooks/:kind/:slug', async (c) => {
    const kind = channelKinds.find(c.req.param('kind'));
    if (!kind) return refuse('address_unknown');
    const slug = c.req.param('slug');
    const { headers } = c.req.raw;
    const channels = await findChannels(kind, slug, clock().getTime());
    const isSigned = kind.webhooks.mayBeSigned(headers);
    // Whom nobody here knows, and who proves nothing, is not listened to.
    if (channels.length === 0 || !(isSigned || kind.webhooks.handshake.method === 'POST'))
      return refuse('webhook_unsigned');
    const body = openBody(c.req.raw);
    const isSmall = await body.readUpTo(SMALL_BODY);
    if (!isSigned) {
      const answer = isSmall ? answerPosted(kind, channels, body) : null;
      return answer === null ? refuse('webhook_unsigned') : c.text(answer);
    }
    if (!isSmall) {
      // One share for a workspace, whichever kinds it has.
      const sender = { slug, address: readIpAddress(c.req.raw, c.env) };
      if (!(await readLarge(body, sender))) return refuse('body_too_large');
    }
    const rawBody = body.bytes();
    const signer = channels.find(({ credentials }) => kind.webhooks.isSigned(credentials, rawBody, headers));
    if (!signer) return refuse('webhook_unsigned');
    const events = kind.webhooks.parse(rawBody);
    if (events === null) return refuse('body_too_large');
    try {
      await writer.write(assignChannels(events, kind, signer, channels));
      return c.text('OK');
    } catch (error) {
      if (!(error instanceof EventBufferFull)) logger.error({ err: error }, 'a webhook could not be stored');
      return refuse('server_busy');
    }
  });
}

/** Of a kind that shakes hands by a request with a body. */
function answerPosted(
  { webhooks: { handshake } }: ChannelKind,
  channels: readonly WebhookChannel[],
  body: BodyReader,
): string | null {
  if (handshake.method !== 'POST') return null;
  for (const { credentials } of channels) {
    const answer = handshake.answer(credentials, body.bytes());
    if (answer !== null) return answer;
  }
  return null;
}

/** An event belongs to the channel of its address; an address that is not ours is kept without a channel. */
function assignChannels(
  events: readonly InboundEvent[],
  { name: kind }: ChannelKind,
  signer: WebhookChannel,
  channels: readonly WebhookChannel[],
): StoredEvent[] {
  return events.map((event) => {
    const channel = channels.find(({ address }) => address === event.address);
    const isOfAccount = event.address === null;
    return {
      ...{ event, kind, workspaceId: signer.workspaceId },
      channelId: channel?.channelId ?? (isOfAccount ? signer.channelId : null),
    };
  });
}
