import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Combobox, MultiSelect } from '../../src/ui/controls/combobox.tsx';
import { GroupedCombobox } from '../../src/ui/controls/grouped-combobox.tsx';
import type { SelectOption } from '../../src/ui/controls/select.tsx';
import { SuggestInput } from '../../src/ui/controls/suggest-input.tsx';
import { Field } from '../../src/ui/field.tsx';
import { eventually, find, findAll, press, pressKey, show, type } from '../screen.tsx';

const options: SelectOption[] = ['Ann', 'Anton', 'Ben'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));

function One({ onSearch }: { onSearch?: (text: string) => void }) {
  const [value, setValue] = useState<SelectOption | null>(null);
  return (
    <>
      <Combobox label="Person" options={options} value={value} onChange={setValue} onSearch={onSearch} />
      <output>{value?.label ?? 'nobody'}</output>
    </>
  );
}

function Several({ onCreate }: { onCreate?: (text: string) => void }) {
  const [value, setValue] = useState<SelectOption[]>([]);
  return (
    <>
      <MultiSelect label="People" options={options} value={value} onChange={setValue} onCreate={onCreate} />
      <output>{value.map(({ label }) => label).join(', ')}</output>
    </>
  );
}

const changed = vi.fn<(value: unknown) => void>();
const chosen = () => document.querySelector('output')?.textContent;
const offered = () => findAll('option').map(({ textContent }) => textContent);

test('typing leaves what matches, and the arrow and Enter choose it', async () => {
  show(<One />);
  type(await find('combobox', 'Person'), 'an');
  await eventually(() => expect(offered()).toEqual(['Ann', 'Anton']));
  pressKey('ArrowDown');
  pressKey('ArrowDown');
  pressKey('Enter');
  await eventually(() => expect(chosen()).toMatch(/^An/));
});

test.each(['Enter', 'Tab'])('the first match is taken with %s', async (key) => {
  show(<One />);
  type(await find('combobox', 'Person'), 'ben');
  await eventually(() => expect(offered()).toEqual(['Ben']));
  await eventually(() => expect(document.activeElement?.getAttribute('aria-activedescendant')).toBeTruthy());
  pressKey(key);
  await eventually(() => expect(chosen()).toBe('Ben'));
});

test('several: the first match is taken with Enter, and with Tab', async () => {
  show(<Several />);
  const field = await find('combobox', 'People');
  type(field, 'be');
  await eventually(() => expect(document.activeElement?.getAttribute('aria-activedescendant')).toBeTruthy());
  pressKey('Enter');
  await eventually(() => expect(chosen()).toBe('Ben'));
  type(field, 'anto');
  await eventually(() => expect(offered()).toEqual(['Anton']));
  await eventually(() => expect(document.activeElement?.getAttribute('aria-activedescendant')).toBeTruthy());
  pressKey('Tab');
  await eventually(() => expect(chosen()).toBe('Ben, Anton'));
});

const ann = options[0]!;

test.each([
  ['one', 'Ann', <Combobox key="c" label="Person" options={options} value={ann} onChange={changed} />],
  ['several', '', <MultiSelect key="c" label="Person" options={options} value={[ann]} onChange={changed} />],
  [
    'groups',
    'Ann',
    <GroupedCombobox
      key="c"
      label="Person"
      groups={[{ label: 'All', options }]}
      value={ann}
      onChange={changed}
    />,
  ],
  [
    'any text',
    'Ann',
    <SuggestInput key="c" label="Person" suggestions={[]} value="Ann" onChange={changed} />,
  ],
])(
  'Escape changes nothing in the choice of %s, and reaches the dialog around it',
  async (_, text, control) => {
    changed.mockClear();
    const heard = vi.fn<(key: string) => void>();
    show(<div onKeyDown={({ key }) => heard(key)}>{control}</div>);
    (await find('combobox', 'Person')).focus();
    pressKey('Escape');
    expect(heard).toHaveBeenCalledExactlyOnceWith('Escape');
    expect(changed).not.toHaveBeenCalled();
    expect(((await find('combobox', 'Person')) as HTMLInputElement).value).toBe(text);
  },
);

test('no match is said in words', async () => {
  show(<One />);
  type(await find('combobox', 'Person'), 'zzz');
  await eventually(() => expect(document.body.textContent).toContain('No matches'));
  expect(offered()).toEqual([]);
});

test('where the server searches, it is asked, and what it answers is not filtered again', async () => {
  const onSearch = vi.fn<(text: string) => void>();
  show(<One onSearch={onSearch} />);
  type(await find('combobox', 'Person'), 'who');
  await eventually(() => expect(onSearch).toHaveBeenLastCalledWith('who'));
  await eventually(() => expect(offered()).toEqual(['Ann', 'Anton', 'Ben']));
});

test('several are chosen as chips, each with a button that takes it out', async () => {
  show(<Several />);
  const field = await find('combobox', 'People');
  type(field, 'ben');
  press(await find('option', 'Ben'));
  await eventually(() => expect(chosen()).toBe('Ben'));
  type(field, 'ann');
  press(await find('option', 'Ann'));
  await eventually(() => expect(chosen()).toBe('Ben, Ann'));
  press(await find('button', 'Remove Ben'));
  await eventually(() => expect(chosen()).toBe('Ann'));
});

test('a new word is taken on Enter, without the spaces around it', async () => {
  const onCreate = vi.fn<(text: string) => void>();
  show(<Several onCreate={onCreate} />);
  type(await find('combobox', 'People'), '  Carla ');
  await eventually(() => expect(document.body.textContent).toContain('No matches'));
  pressKey('Enter');
  expect(onCreate).toHaveBeenCalledExactlyOnceWith('Carla');
});

test('without a connection it says what it searched, or that it cannot, and never that there is none', async () => {
  const draw = (searchedHere: number) => (
    <Combobox
      label="Person"
      options={[]}
      value={null}
      onChange={() => undefined}
      onSearch={() => undefined}
      searchedHere={searchedHere}
    />
  );
  const redraw = show(draw(0));
  type(await find('combobox', 'Person'), 'zzz');
  await eventually(() => expect(document.body.textContent).toContain('Searching needs a connection.'));
  expect(document.body.textContent).not.toContain('No matches');
  redraw(draw(7));
  await eventually(() => expect(document.body.textContent).toContain('kept on this device: 7.'));
  expect(document.body.textContent).toContain('No matches');
});

test.each([
  ['one', <Combobox key="c" options={options} value={null} onChange={() => undefined} />],
  ['several', <MultiSelect key="c" options={options} value={[]} onChange={() => undefined} />],
  [
    'groups',
    <GroupedCombobox
      key="c"
      groups={[{ label: 'All', options }]}
      value={options[0]!}
      onChange={() => undefined}
    />,
  ],
  ['any text', <SuggestInput key="c" suggestions={[]} value="" onChange={() => undefined} />],
])('in a field the choice of %s has its name, hint, error and that it is needed', async (_, control) => {
  show(
    <Field label="Person" hint="Who it is for" error="Nobody is chosen" required>
      {control}
    </Field>,
  );
  const field = await find('combobox', 'Person');
  expect(field.ariaRequired).toBe('true');
  expect(field.ariaInvalid).toBe('true');
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Who it is for',
    'Nobody is chosen',
  ]);
});
