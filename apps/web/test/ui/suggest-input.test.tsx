import { useState } from 'react';
import { expect, test } from 'vitest';
import { TagInput } from '../../src/shared/contacts/tag-input.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { SuggestInput } from '../../src/ui/controls/suggest-input.tsx';
import { eventually, find, findAll, press, pressKey, show, type } from '../screen.tsx';

const tags = ['customer', 'lead', 'vip'];

function One() {
  const [value, setValue] = useState('');
  return (
    <>
      <SuggestInput
        label="Tag"
        value={value}
        onChange={setValue}
        suggestions={tags.map((tag) => ({ value: tag }))}
      />
      <output>{value}</output>
    </>
  );
}

function Several() {
  const [value, setValue] = useState<string[]>([]);
  return (
    <>
      <TagInput value={value} onChange={setValue} suggestions={tags} />
      <output>{value.join(', ')}</output>
    </>
  );
}

const entered = () => document.querySelector('output')?.textContent;
const offered = () => findAll('option').map(({ textContent }) => textContent);

test('what is there is found by typing and chosen by the keyboard', async () => {
  show(<One />);
  type(await find('combobox', 'Tag'), 'e');
  await eventually(() => expect(offered()).toEqual(['customer', 'lead']));
  pressKey('ArrowDown');
  pressKey('ArrowDown');
  pressKey('Enter');
  await eventually(() => expect(entered()).toMatch(/^(customer|lead)$/));
});

test('what nobody has yet is the text as it was typed, and no list lies over the page', async () => {
  show(<One />);
  type(await find('combobox', 'Tag'), 'gold');
  await eventually(() => expect(entered()).toBe('gold'));
  expect(offered()).toEqual([]);
  type(await find('combobox', 'Tag'), 'vip');
  await eventually(() => expect(entered()).toBe('vip'));
  expect(offered()).toEqual([]);
});

test('a tag that is chosen becomes a chip, and so does one that is typed and left with Enter', async () => {
  await loadMessages('contacts');
  show(<Several />);
  const field = await find('combobox');
  type(field, 'vi');
  press(await find('option', 'vip'));
  await eventually(() => expect(entered()).toBe('vip'));
  await eventually(() => expect((field as HTMLInputElement).value).toBe(''));
  type(field, 'new');
  await eventually(() => expect((field as HTMLInputElement).value).toBe('new'));
  pressKey('Enter');
  await eventually(() => expect(entered()).toBe('vip, new'));
});

test('a tag that is typed and left with the Tab key becomes a chip, and no list stays open', async () => {
  await loadMessages('contacts');
  show(<Several />);
  const field = await find('combobox');
  field.focus();
  type(field, 'gold');
  field.blur();
  await eventually(() => expect(entered()).toBe('gold'));
  // A list that opens does so with the next paint.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(offered()).toEqual([]);
});
