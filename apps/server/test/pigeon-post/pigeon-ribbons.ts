import { ContentReader } from '@app/domain/channel-kinds/content-reader';
import type { ContentType } from '@app/domain/channel-kinds/content-type';

/** A form of message that no other kind has: a note with coloured ribbons. */
export const pigeonRibbons: ContentType = {
  ...{ kind: 'pigeon-post', name: 'ribbons', inTemplates: true },
  read(given) {
    const reader = new ContentReader();
    const value = reader.object(given, '');
    const note = reader.text(value['note'], 'note', 100);
    const ribbons = reader.list(value['ribbons'], 'ribbons', { least: 1, most: 3 }).map((ribbon) => {
      const fields = reader.object(ribbon.value, ribbon.path);
      return {
        colour: reader.oneOf(fields['colour'], `${ribbon.path}.colour`, ['red', 'blue']),
        text: reader.text(fields['text'], `${ribbon.path}.text`, 12),
      };
    });
    return reader.end({ note, ribbons });
  },
  lineOf: ({ note }) => `A note with ribbons: ${String(note)}`,
};
