import { DONE_OR_FAILED, textOf, type StepType } from '../step-type.ts';
import { MESSAGE_WAIT_MS } from './send-message.ts';

/** What a file can be sent as. */
export const sentMediaKinds = ['image', 'video', 'document'] as const;

/** Below a file, on the channel that takes the most. */
const LONGEST_CAPTION = 1_024;

/** Sends an image, a video or a document: of the library, or from an address. */
export const sendMedia: StepType = {
  ...{ type: 'send_media', kinds: ['bot'], group: 'message', needsContact: true },
  fields: [
    { name: 'media', kind: 'choice', options: sentMediaKinds, isRequired: true, initial: 'image' },
    { name: 'source', kind: 'choice', options: ['library', 'address'], isRequired: true, initial: 'library' },
    { name: 'file', kind: 'media', isRequired: true, when: { field: 'source', is: ['library'] } },
    {
      ...{ name: 'link', kind: 'url', isRequired: true, takesValues: true, escape: 'url' },
      when: { field: 'source', is: ['address'] },
    },
    { name: 'caption', kind: 'long_text', takesValues: true, most: LONGEST_CAPTION },
    { name: 'filename', kind: 'text', takesValues: true, when: { field: 'media', is: ['document'] } },
    { name: 'channel', kind: 'channel' },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => ['message_id'],
  enter({ config, state }) {
    const isAddress = textOf(config, 'source') === 'address';
    return {
      ask: 'send_message',
      request: {
        media: textOf(config, 'media'),
        fileId: isAddress ? null : textOf(config, 'file'),
        link: isAddress ? textOf(config, 'link') : null,
        // Values may make it longer than the channel takes.
        text: textOf(config, 'caption').slice(0, LONGEST_CAPTION),
        filename: textOf(config, 'filename').slice(0, 200),
        channelId: config['channel'] ?? state.trigger['channel_id'] ?? null,
      },
      waitMs: MESSAGE_WAIT_MS,
    };
  },
};
