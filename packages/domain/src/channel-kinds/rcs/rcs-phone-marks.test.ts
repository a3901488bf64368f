import { expect, test } from 'vitest';
import type { Card } from './rcs-contents.ts';
import { findPhoneMarks, type CardFrame, type PhoneMark } from './rcs-phone-marks.ts';

const alone: CardFrame = { width: 'whole', orientation: 'vertical' };
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const picture = (height: 'short' | 'medium' | 'tall'): Card => ({
  media: { file: { id, mimeType: 'image/png' }, height },
  suggestions: [],
});
const text = (letters: number): Card => ({ description: 'x'.repeat(letters), suggestions: [] });
const pdf: Card = {
  title: 'Menu',
  media: { link: 'https://shop.example/menu.PDF?v=2', height: 'short' },
  suggestions: [],
};

test.each<[string, Card[], CardFrame, number | undefined, PhoneMark[]]>([
  ['nothing of a card that fits', [text(100)], alone, undefined, []],
  ['nothing of a picture that nobody measured', [picture('medium')], alone, undefined, []],
  ['nothing of a picture with the shape of its frame', [picture('medium')], alone, 320 / 168, []],
  [
    'the sides of a wide picture',
    [picture('tall')],
    alone,
    2.42,
    [{ card: 0, type: 'picture_cropped', percent: 50 }],
  ],
  [
    'the edges of a tall picture',
    [picture('short')],
    alone,
    320 / 224,
    [{ card: 0, type: 'picture_cropped', percent: 50 }],
  ],
  [
    'the edges of a wide picture beside a text',
    [picture('medium')],
    { ...alone, orientation: 'horizontal' },
    128 / 84,
    [{ card: 0, type: 'picture_cropped', percent: 50 }],
  ],
  [
    'the end of a long text',
    [text(38 * 20)],
    alone,
    undefined,
    [{ card: 0, type: 'text_cut', lines: 20, room: 15 }],
  ],
  [
    'more of it on a small card',
    [text(10), text(19 * 20)],
    { width: 'small', orientation: 'vertical' },
    undefined,
    [{ card: 1, type: 'text_cut', lines: 20, room: 15 }],
  ],
  ['a PDF with a title', [pdf], alone, undefined, [{ card: 0, type: 'pdf_dropped' }]],
])('phones drop or cut %s', (_, cards, frame, ratio, marks) => {
  expect(findPhoneMarks({ cards, frame }, () => ratio)).toEqual(marks);
});
