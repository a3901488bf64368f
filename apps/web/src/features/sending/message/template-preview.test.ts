import { expect, test } from 'vitest';
import { templateToPhone } from './template-preview.ts';

test.each(['image', 'video', 'document'] as const)(
  'the %s of a header is shown wherever the message is',
  (format) => {
    const media = { id: '0198c0de-0000-7000-8000-000000000001', name: 'spring.file', size: 1 };
    const message = templateToPhone([
      { type: 'header', format, media },
      { type: 'body', text: 'Hello' },
    ]);
    expect(message.header).toEqual({
      type: format,
      url: `/api/media/${media.id}/content`,
      fileName: 'spring.file',
    });
  },
);

test('a header without a file keeps its place', () => {
  const message = templateToPhone([{ type: 'header', format: 'image', media: null }]);
  expect(message.header).toEqual({ type: 'image', url: undefined, fileName: undefined });
});
