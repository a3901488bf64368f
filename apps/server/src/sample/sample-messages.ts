import type { ConversationPriority } from '@app/domain/conversations/conversation-status';
import type { InboundContent } from '@app/domain/messaging/inbound-event';
import type { MediaKind, MessageContent } from '@app/domain/messaging/message-content';
import type { Role } from '@app/domain/auth/permissions';

/** A message of the sample, told by how long before the start it was. One without content is a text. */
export type SampleMessage = {
  minutesAgo: number;
  text: string;
  /** The place of the message in its conversation that it answers or reacts to. */
  answers?: number;
  isUnread?: boolean;
} & (
  | { direction: 'in'; content?: InboundContent }
  | { direction: 'out'; by: Role; content?: MessageContent }
);

/** What staff did with the conversation, or wrote to each other beside it. */
export type SampleActivity = { minutesAgo: number; by: Role } & (
  | { note: string }
  | { status: 'open' | 'resolved'; before: 'open' | 'resolved' }
  | { takes: true }
  | { labels: readonly string[] }
  | { priority: ConversationPriority }
);

type SampleConversation = {
  priority: ConversationPriority;
  acts: readonly SampleActivity[];
  labels: readonly string[];
  assignee: Role | null;
  isPinned: boolean;
  messages: readonly SampleMessage[];
};

const HOUR = 60;
const DAY = 24 * HOUR;

/** Files that every sandbox holds from its start, under ids that do not change. */
const sandboxFiles = {
  photo: { mediaId: '900000000000001', kind: 'image', mimeType: 'image/jpeg', filename: null },
  voice: { mediaId: '900000000000002', kind: 'audio', mimeType: 'audio/ogg', filename: null },
  document: {
    mediaId: '900000000000003',
    kind: 'document',
    mimeType: 'application/pdf',
    filename: 'Order A-1042.pdf',
  },
} as const satisfies Record<
  string,
  { mediaId: string; kind: MediaKind; mimeType: string; filename: string | null }
>;

function file(name: keyof typeof sandboxFiles, caption: string | null = null): InboundContent {
  return {
    ...{ type: 'media', ...sandboxFiles[name], caption, sha256: null, url: null },
    ...{ voice: name === 'voice', animated: false },
  };
}

/** In the order of the sample contacts. */
export const sampleConversations: readonly SampleConversation[] = [
  {
    labels: ['delivery', 'repair', 'regular'],
    assignee: 'agent',
    isPinned: true,
    priority: 'high',
    acts: [
      { minutesAgo: 3 * DAY - 4, by: 'agent', takes: true },
      { minutesAgo: 3 * DAY - 14, by: 'agent', labels: ['delivery', 'repair', 'regular'] },
      {
        minutesAgo: 2 * DAY - 30,
        by: 'manager',
        note: 'She comes back every spring: no charge for the laces.',
      },
      { minutesAgo: 30, by: 'manager', priority: 'high' },
    ],
    messages: [
      { minutesAgo: 3 * DAY, direction: 'in', text: 'Hello! Do you repair walking boots as well? 🥾' },
      {
        ...{ minutesAgo: 3 * DAY - 6, direction: 'out', by: 'agent', answers: 0 },
        text: 'Hello Ann, we do. *Soles* take about _three days_. Could you send a picture?',
      },
      {
        minutesAgo: 3 * DAY - 9,
        direction: 'in',
        text: 'Here they are',
        content: file('photo', 'Here they are'),
      },
      {
        ...{ minutesAgo: 3 * DAY - 10, direction: 'out', by: 'agent', answers: 2, text: '👍' },
        content: { type: 'reaction', messageId: '', emoji: '👍' },
      },
      {
        ...{ minutesAgo: 3 * DAY - 12, direction: 'out', by: 'agent', text: 'Sample Business' },
        content: {
          type: 'location',
          location: {
            ...{ latitude: 51.5074, longitude: -0.1278 },
            ...{ name: 'Sample Business', address: '1 High St, London' },
          },
        },
      },
      { minutesAgo: 2 * DAY, direction: 'in', text: '[audio]', content: file('voice') },
      {
        minutesAgo: 2 * DAY - 20,
        direction: 'out',
        by: 'manager',
        text: 'Thank you, we will call when they are done.',
      },
      {
        minutesAgo: 3 * HOUR,
        direction: 'out',
        by: 'agent',
        text: 'Good news: your boots are ready. Shall we send them?',
      },
      {
        ...{ minutesAgo: 2 * HOUR, direction: 'in', answers: 7, text: '❤️' },
        content: { type: 'reaction', targetMessageId: '', emoji: '❤️' },
      },
      {
        ...{ minutesAgo: 38, direction: 'in', answers: 7, isUnread: true },
        text: 'Yes please! To 4 Mill Lane, London. What does it cost?',
      },
      { minutesAgo: 36, direction: 'in', isUnread: true, text: 'And could it be here by Friday?' },
    ],
  },
  {
    labels: ['sales'],
    assignee: null,
    isPinned: false,
    priority: 'normal',
    acts: [
      { minutesAgo: 6 * DAY - 90, by: 'manager', note: 'In stock, leaves today.' },
      { minutesAgo: 5 * DAY, by: 'manager', status: 'resolved', before: 'open' },
    ],
    messages: [
      {
        ...{ minutesAgo: 6 * DAY, direction: 'in', text: 'For the weekend, please' },
        content: {
          ...{ type: 'order', catalogId: null, text: 'For the weekend, please' },
          items: [
            { productId: 'socks-42', quantity: 2, price: 9.5, currency: 'GBP' },
            { productId: 'wax', quantity: 1, price: 6, currency: 'GBP' },
          ],
        },
      },
      {
        ...{ minutesAgo: 6 * DAY - 80, direction: 'out', by: 'manager', answers: 0 },
        text: 'Thank you! Both leave today.',
      },
      {
        ...{ minutesAgo: 5 * DAY + 10, direction: 'in', answers: 1, text: '🙏' },
        content: { type: 'reaction', targetMessageId: '', emoji: '🙏' },
      },
      {
        minutesAgo: 2 * DAY,
        direction: 'in',
        text: 'Hi, I saw your offer. Do you have the rain jacket in blue?',
      },
      {
        ...{ minutesAgo: 2 * DAY - 15, direction: 'out', by: 'manager' },
        text: 'We do, in M and L. Which one may we put aside?',
        content: {
          type: 'interactive',
          body: 'We do, in M and L. Which one may we put aside?',
          action: {
            type: 'reply_buttons',
            buttons: [
              { id: 'm', title: 'Size M' },
              { id: 'l', title: 'Size L' },
            ],
          },
        },
      },
      {
        ...{ minutesAgo: 2 * DAY - 18, direction: 'in', answers: 4, text: 'Size M' },
        content: { type: 'button_reply', source: 'interactive', payload: 'm', title: 'Size M' },
      },
      {
        ...{ minutesAgo: 2 * DAY - 40, direction: 'in', text: 'My last order', isUnread: true },
        content: file('document', 'My last order'),
      },
    ],
  },
];
