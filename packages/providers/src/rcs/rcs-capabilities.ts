import { rcsContents, rcsLimits } from '@app/domain/channel-kinds/rcs/rcs-contents';
import { suggestionLimits } from '@app/domain/channel-kinds/rcs/rcs-suggestions';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';

const MEGABYTE = 1_024 * 1_024;
/** Of one file, and of all files of a message together. */
const LARGEST = 100 * MEGABYTE;
const file = { maxBytes: LARGEST, longestCaption: 0 };

/** https://developers.google.com/business-communications/rcs-business-messaging/guides/build/messages/send */
export const rcsCapabilities: ChannelCapabilities = {
  freeTextHours: null,
  templates: 'none',
  text: { longest: rcsLimits.text, hasStyles: false },
  media: {
    image: { ...file, mimeTypes: ['image/jpeg', 'image/png', 'image/gif'] },
    video: { ...file, mimeTypes: ['video/mp4', 'video/mpeg', 'video/webm'] },
    audio: { ...file, mimeTypes: ['audio/aac', 'audio/mpeg', 'audio/mp4', 'audio/3gpp', 'audio/ogg'] },
    document: { ...file, mimeTypes: ['application/pdf'] },
  },
  received: {
    // The platform does not say for how long its addresses of files hold: they are fetched at once, and tried for a day.
    fileHours: 24,
    largestBytes: {
      ...{ image: 25 * MEGABYTE, sticker: 5 * MEGABYTE },
      ...{ video: LARGEST, audio: LARGEST, document: LARGEST },
    },
  },
  replyButtons: {
    ...{ most: rcsLimits.suggestions, longestTitle: suggestionLimits.text, longestBody: rcsLimits.text },
  },
  // A list is written into the text and offered as replies, so it shares the length of a text.
  lists: {
    ...{ mostRows: rcsLimits.suggestions, mostSections: rcsLimits.suggestions },
    ...{ longestTitle: suggestionLimits.text, longestDescription: 72, longestBody: 1_024 },
  },
  linkButtons: true,
  contents: rcsContents,
  userIds: false,
  quotes: false,
  reactions: false,
  wordsRenewConsent: false,
  withdraws: true,
  ignoresRepeats: true,
  showsRead: true,
  showsTyping: true,
};
