import { expect, test } from 'vitest';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import { findKeptReplies, foldersOf, readRepliesSearch } from './quick-replies-queries.ts';
import { toInput, valuesOf } from './reply-values.ts';

const reply: QuickReply = {
  ...{ id: 'r', shortcut: 'danke', title: 'Danke', text: 'Danke, {{name}}', media: null, buttons: ['Ja'] },
  ...{ folder: 'Kasse', language: 'de', isShared: true, used: 3, version: 2 },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
};

test('a quick reply that is saved as it was opened keeps all its parts', () => {
  const { shortcut, title, text, buttons, folder, language, isShared } = reply;
  expect(toInput(valuesOf(reply))).toEqual({
    ...{ shortcut, title, text, buttons, folder, language, isShared, mediaId: null },
  });
  expect(toInput(valuesOf(undefined))).toMatchObject({ language: null, folder: null });
});

test('quick replies are narrowed to a folder, one that is gone is still named', () => {
  const other = { ...reply, id: 'o', folder: null };
  expect(findKeptReplies([reply, other], readRepliesSearch({ folder: 'Kasse' }))).toEqual([reply]);
  expect(foldersOf([reply, other, { ...reply, folder: 'Ende' }], 'Weg')).toEqual(['Ende', 'Kasse', 'Weg']);
});
