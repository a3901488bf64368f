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
  { direction: 'in'; content?: InboundContent } | { direction: 'out'; by: Role; content?: MessageContent }
);

type SampleConversation = {
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
    messages: [
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
        ...{ minutesAgo: 2 * DAY - 18, direction: 'in', answers: 1, text: 'Size M' },
        content: { type: 'button_reply', source: 'interactive', payload: 'm', title: 'Size M' },
      },
      {
        ...{ minutesAgo: 2 * DAY - 40, direction: 'in', text: 'My last order', isUnread: true },
        content: file('document', 'My last order'),
      },
    ],
  },
];
