import type { Hono } from 'hono';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import type { ApiDependencies } from '../platform/request-context.ts';
import { createEventWriter, EventBufferFull } from './event-writer.ts';
import type { JoinContacts } from './find-contacts.ts';
import type { StoredEvent } from './keep-events.ts';
import { isFaultOfEvent, setAside } from './set-aside.ts';
import { storeEvents, type TemplateEventHandler } from './store-events.ts';
import { createWebhookChannels, type WebhookChannel } from './webhook-channels.ts';
import type { WebhookReader } from './webhook-reader.ts';

/** The platform sends up to 3 MB; anything larger is not from it. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

export type WebhookDependencies = Pick<
  ApiDependencies,
  'db' | 'clock' | 'liveEvents' | 'logger' | 'secrets' | 'isLocalOnly'
> & {
  webhookReader: WebhookReader;
  onTemplateEvent: TemplateEventHandler;
  joinContacts: JoinContacts;
};

/**
 * `GET` and `POST /webhooks/whatsapp/{workspace slug}`: the platform's handshake, and its signed events, which are
 * answered 200 only after they are committed.
 */
export function mountWebhooks(app: Hono, dependencies: WebhookDependencies): void {
  const { db, clock, logger, webhookReader } = dependencies;
  const findChannels = createWebhookChannels(db.systemPool, dependencies);
  const writer = createEventWriter<StoredEvent>({
    store: (events) => storeEvents(events, dependencies),
    isFaultOfItem: isFaultOfEvent,
    setAside: (event, error) => setAside(event, error, dependencies),
  });

  app.get('/webhooks/whatsapp/:slug', async (c) => {
    const channels = await findChannels(c.req.param('slug'), clock().getTime());
    const query = new URL(c.req.url).searchParams;
    for (const { verifyToken } of channels) {
      const challenge = webhookReader.answerHandshake(query, verifyToken);
      if (challenge !== null) return c.text(challenge);
    }
    return c.text('The verify token is wrong.', 403);
  });

  app.post('/webhooks/whatsapp/:slug', async (c) => {
    if (Number(c.req.header('content-length') ?? 0) > MAX_BODY_BYTES)
      return c.text('The body is too large.', 413);
    const rawBody = new Uint8Array(await c.req.arrayBuffer());
    if (rawBody.byteLength > MAX_BODY_BYTES) return c.text('The body is too large.', 413);
    const channels = await findChannels(c.req.param('slug'), clock().getTime());
    const signature = c.req.header('x-hub-signature-256') ?? null;
    const signer = channels.find(({ appSecret }) => webhookReader.isSigned(appSecret, rawBody, signature));
    if (!signer) return c.text('The signature is wrong.', 401);
    try {
      await writer.write(assignChannels(webhookReader.parse(rawBody), signer, channels));
      return c.text('OK');
    } catch (error) {
      if (!(error instanceof EventBufferFull)) logger.error({ err: error }, 'a webhook could not be stored');
      return c.text('Please try again.', 503);
    }
  });
}

/** An event belongs to the channel of its number; a number that is not ours is kept without a channel. */
function assignChannels(
  events: readonly InboundEvent[],
  signer: WebhookChannel,
  channels: readonly WebhookChannel[],
): StoredEvent[] {
  return events.map((event) => {
    const channel = channels.find(({ phoneNumberId }) => phoneNumberId === event.phoneNumberId);
    const isOfAccount = event.phoneNumberId === null;
    return {
      event,
      workspaceId: signer.workspaceId,
      channelId: channel?.channelId ?? (isOfAccount ? signer.channelId : null),
    };
  });
}
