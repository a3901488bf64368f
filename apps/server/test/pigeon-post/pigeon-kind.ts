import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type { ChannelPerson, InboundEvent } from '@app/domain/messaging/inbound-event';
import { pigeonRibbons } from './pigeon-ribbons.ts';
import type { MessageContent } from '@app/domain/messaging/message-content';

/** A kind of the tests, as far from the first one as may be: no templates, no window, a handshake by POST, other credentials. */
export const pigeonKind: ChannelKind = {
  name: 'pigeon-post',
  credentials: {
    version: 3,
    fields: [
      { name: 'loft', label: 'pigeon.loft', isSecret: false, format: 'text' },
      { name: 'server', label: 'pigeon.server', isSecret: false, format: 'url' },
      { name: 'ring', label: 'pigeon.ring', isSecret: true, format: 'text' },
    ],
    addressOf: ({ loft = '' }) => loft,
    serverOf: ({ server = '' }) => server,
  },
  capabilities: {
    freeTextHours: null,
    templates: 'none',
    text: { longest: 500, hasStyles: false },
    media: {},
    received: {
      fileHours: null,
      largestBytes: { image: 100, sticker: 100, video: 100, audio: 100, document: 100 },
    },
    replyButtons: null,
    lists: null,
    contents: [pigeonRibbons],
    ...{
      linkButtons: false,
      userIds: false,
      quotes: false,
      reactions: false,
      wordsRenewConsent: true,
      showsRead: false,
      showsTyping: false,
    },
  },
  rates: { messagesPerSecond: 200, counts: 'sent' },
  webhooks: {
    handshake: {
      method: 'POST',
      answer({ ring = '' }, body) {
        const { hello } = readJson(body) as { hello?: unknown };
        return typeof hello === 'string' && ring !== '' ? seal(ring, Buffer.from(hello)) : null;
      },
    },
    signedBy: 'account',
    mayBeSigned: (headers) => headers.get('x-seal') !== null,
    isSigned({ ring = '' }, body, headers) {
      const [given, wanted] = [headers.get('x-seal') ?? '', seal(ring, body)];
      return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
    },
    parse: (body) => readNews(readJson(body)),
  },
  open: openLoft,
};

export function seal(ring: string, bytes: Uint8Array): string {
  return createHmac('sha512', ring).update(bytes).digest('base64');
}

function openLoft({ loft = '', server = '', ring = '' }: Credentials): OpenChannel {
  return {
    async send({ to, tag, content }) {
      const note = noteOf(content);
      if (note === null) return { outcome: 'not_sent', reason: 'invalid_message' };
      try {
        const answer = await fetch(`${server}/lofts/${loft}/letters`, {
          method: 'POST',
          headers: { 'x-ring': ring, 'content-type': 'application/json' },
          body: JSON.stringify({ to, note, mark: tag }),
        });
        return readAnswer(answer.status, (await answer.json()) as { letter?: string });
      } catch {
        return { outcome: 'unknown', reason: 'connection_lost' };
      }
    },
    close: () => Promise.resolve(),
  };
}

function readAnswer(status: number, { letter }: { letter?: string }): SendResult {
  if (status === 200 && letter) return { outcome: 'accepted', providerMessageId: letter };
  if (status === 404)
    return {
      ...{ outcome: 'refused', action: { kind: 'fail' } },
      error: { code: 'pigeon-post.NO_SUCH_ROOF', title: 'Nobody lives there' },
    };
  return { outcome: 'unknown', reason: 'server_error' };
}

function noteOf(content: MessageContent): string | null {
  if (content.type === 'kind_content' && content.contentType === 'ribbons') {
    const { note, ribbons } = content.value as { note: string; ribbons: { colour: string; text: string }[] };
    return [note, ...ribbons.map(({ colour, text }) => `(${colour}) ${text}`)].join(' ');
  }
  return content.type === 'text' ? content.body : null;
}

type News = { at: number; loft: string; letter: string } & (
  | { flight: 'landed' | 'opened' | 'lost'; mark: string; roof: string }
  | { flight: 'arrived'; roof: string; note: string }
);

function readNews(news: unknown): InboundEvent[] {
  return (Array.isArray(news) ? (news as News[]) : []).map((one): InboundEvent => {
    const base = {
      dedupKey: `${one.flight}:${one.letter}`,
      ...{ occurredAt: one.at, account: '', address: one.loft, raw: one },
    };
    if (one.flight === 'arrived')
      return {
        ...{ ...base, type: 'message_received', origin: 'live', direction: 'in', messageId: one.letter },
        ...{ person: personOf(one.roof), content: { type: 'text', body: one.note } },
        ...{ context: null, referral: null, groupId: null, errors: [], historyStatus: null },
      };
    const status = { landed: 'delivered', opened: 'read', lost: 'failed' } as const;
    return {
      ...{ ...base, type: 'message_status', messageId: one.letter, status: status[one.flight] },
      ...{ tag: one.mark, recipient: personOf(one.roof), groupId: null, pricing: null },
      error: one.flight === 'lost' ? { code: 'pigeon-post.HAWK', title: 'A hawk' } : null,
      action: one.flight === 'lost' ? { kind: 'fail' } : null,
    };
  });
}

function personOf(roof: string): ChannelPerson {
  return { phone: roof, userId: null, parentUserId: null, username: null, name: null };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) ?? {};
  } catch {
    return {};
  }
}
