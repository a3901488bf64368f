import { whatsAppCarousel } from '@app/domain/channel-kinds/whatsapp/whatsapp-carousel';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';

const KILOBYTE = 1_024;
const MEGABYTE = 1_024 * KILOBYTE;
const LONGEST_CAPTION = 1_024;

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media and …/messages */
export const whatsAppCapabilities: ChannelCapabilities = {
  freeTextHours: 24,
  templates: 'reviewed',
  text: { longest: 4_096, hasStyles: true },
  media: {
    image: {
      mimeTypes: ['image/jpeg', 'image/png'],
      maxBytes: 5 * MEGABYTE,
      longestCaption: LONGEST_CAPTION,
    },
    video: {
      mimeTypes: ['video/mp4', 'video/3gpp'],
      maxBytes: 16 * MEGABYTE,
      longestCaption: LONGEST_CAPTION,
    },
    audio: {
      mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
      maxBytes: 16 * MEGABYTE,
      longestCaption: 0,
    },
    document: {
      mimeTypes: [
        'text/plain',
        'application/pdf',
        'application/msword',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'application/vnd.ms-excel',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'application/vnd.ms-powerpoint',
        'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      ],
      maxBytes: 100 * MEGABYTE,
      longestCaption: LONGEST_CAPTION,
    },
    sticker: {
      mimeTypes: ['image/webp'],
      maxBytes: 100 * KILOBYTE,
      maxAnimatedBytes: 500 * KILOBYTE,
      longestCaption: 0,
    },
  },
  received: {
    fileHours: 7 * 24,
    // The platform itself takes 100 megabytes of anything. Pictures are unpacked here, and no telephone sends such large ones.
    largestBytes: {
      ...{ image: 25 * MEGABYTE, sticker: 5 * MEGABYTE },
      ...{ video: 100 * MEGABYTE, audio: 100 * MEGABYTE, document: 100 * MEGABYTE },
    },
  },
  replyButtons: { most: 3, longestTitle: 20, longestBody: 1_024 },
  lists: {
    mostRows: 10,
    mostSections: 10,
    longestTitle: 24,
    longestDescription: 72,
    longestBody: 4_096,
  },
  linkButtons: true,
  contents: [whatsAppCarousel],
  userIds: true,
  quotes: true,
  reactions: true,
  wordsRenewConsent: true,
  showsRead: true,
  showsTyping: true,
};
