import type { Hono } from 'hono';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { SMALL_BODY } from '../platform/rim/body-rules.ts';
import { openBody } from '../platform/rim/read-body.ts';
import { refuse } from '../platform/rim/refuse.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { EventBufferFull } from './event-writer.ts';
import { createLargeReader } from './large-webhooks.ts';
import type { JoinContacts } from './find-contacts.ts';
import type { StoredEvent } from './keep-events.ts';
import type { TemplateEventHandler } from './store-events.ts';
import { createWebhookChannels, type WebhookChannel } from './webhook-channels.ts';
import type { WebhookReader } from './webhook-reader.ts';
import { createEventStore } from './write-events.ts';

export type WebhookDependencies = Pick<
  ApiDependencies,
  'db' | 'clock' | 'facts' | 'logger' | 'secrets' | 'isLocalOnly'
> & {
  webhookReader: WebhookReader;
  onTemplateEvent: TemplateEventHandler;
  joinContacts: JoinContacts;
  readIpAddress(request: Request, environment: unknown): string | null;
  /** Called for each event that was set aside. */
  countSetAside?: (() => void) | undefined;
};

/**
 * `GET` and `POST /webhooks/whatsapp/{workspace slug}`: the platform's handshake, and its signed events, which are
 * answered 200 only after they are committed.
 */
export function mountWebhooks(app: Hono, dependencies: WebhookDependencies): void {
  const { db, clock, logger, webhookReader, readIpAddress } = dependencies;
  const findChannels = createWebhookChannels(db.systemPool, dependencies);
  const writer = createEventStore(dependencies);
  const readLarge = createLargeReader();

  app.get('/webhooks/whatsapp/:slug', async (c) => {
    const channels = await findChannels(c.req.param('slug'), clock().getTime());
    const query = new URL(c.req.url).searchParams;
    for (const { verifyToken } of channels) {
      const challenge = webhookReader.answerHandshake(query, verifyToken);
      if (challenge !== null) return c.text(challenge);
    }
    return refuse('webhook_token_wrong');
  });

  app.post('/webhooks/whatsapp/:slug', async (c) => {
    const channels = await findChannels(c.req.param('slug'), clock().getTime());
    const signature = c.req.header('x-hub-signature-256') ?? null;
    // Whom nobody here knows, and who signs nothing, is not listened to.
    if (channels.length === 0 || signature === null) return refuse('webhook_unsigned');
    const body = openBody(c.req.raw);
    if (!(await body.readUpTo(SMALL_BODY))) {
      const sender = { slug: c.req.param('slug'), address: readIpAddress(c.req.raw, c.env) };
      if (!(await readLarge(body, sender))) return refuse('body_too_large');
    }
    const rawBody = body.bytes();
    const signer = channels.find(({ appSecret }) => webhookReader.isSigned(appSecret, rawBody, signature));
    if (!signer) return refuse('webhook_unsigned');
    const events = webhookReader.parse(rawBody);
    if (events === null) return refuse('body_too_large');
    try {
      await writer.write(assignChannels(events, signer, channels));
      return c.text('OK');
    } catch (error) {
      if (!(error instanceof EventBufferFull)) logger.error({ err: error }, 'a webhook could not be stored');
      return refuse('server_busy');
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
    const channel = channels.find(({ phoneNumberId }) => phoneNumberId === event.address);
    const isOfAccount = event.address === null;
    return {
      event,
      workspaceId: signer.workspaceId,
      channelId: channel?.channelId ?? (isOfAccount ? signer.channelId : null),
    };
  });
}
