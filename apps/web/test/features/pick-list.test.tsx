import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { PickList } from '../../src/features/teamwork/pick-list.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, findAll, press, pressKey, show, type } from '../screen.tsx';

beforeAll(() => loadMessages('teamwork'));

function Labels({ mayAdd = true }: { mayAdd?: boolean }) {
  const [names, setNames] = useState(['Late', 'Urgent', 'VIP']);
  const [chosen, setChosen] = useState(['VIP']);
  return (
    <>
      <PickList
        label="Labels"
        emptyText="None"
        picks={names.map((name) => ({ id: name, name, isChosen: chosen.includes(name) }))}
        onPick={({ name }) =>
          setChosen((before) =>
            before.includes(name) ? before.filter((one) => one !== name) : [...before, name],
          )
        }
        onAdd={mayAdd ? (name) => setNames((before) => [...before, name]) : undefined}
      />
      <output>{chosen.join(', ')}</output>
    </>
  );
}

const chosen = () => document.querySelector('output')?.textContent;
const offered = () => findAll('option').map(({ textContent }) => textContent);

test('arrows and Enter choose without leaving the field, around the end', async () => {
  show(<Labels />);
  const field = await find('combobox', 'Labels');
  field.focus();
  const expectMark = (name: string) =>
    eventually(() => {
      const marked = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
      expect(marked?.textContent).toBe(name);
    });
  pressKey('ArrowDown');
  await expectMark('Urgent');
  pressKey('Enter');
  await eventually(() => expect(chosen()).toBe('VIP, Urgent'));
  expect(document.activeElement).toBe(field);
  pressKey('ArrowUp');
  await expectMark('Late');
  pressKey('ArrowUp');
  await expectMark('VIP');
});

test('what is chosen is said, and pressed again it is taken away', async () => {
  show(<Labels />);
  const vip = await find('option', 'VIP');
  expect(vip.getAttribute('aria-selected')).toBe('true');
  press(vip);
  await eventually(() => expect(chosen()).toBe(''));
});

test('what is not there is offered to be added, if it may be, and once', async () => {
  show(<Labels />);
  type(await find('combobox', 'Labels'), ' new  one ');
  await eventually(() => expect(offered()).toEqual(['Add “new one”']));
  pressKey('Enter');
  await eventually(() => expect(offered()).toEqual(['Late', 'Urgent', 'VIP', 'new one']));
  type(await find('combobox', 'Labels'), 'NEW ONE');
  await eventually(() => expect(offered()).toEqual(['new one']));
});

test('no match is said in words', async () => {
  show(<Labels mayAdd={false} />);
  type(await find('combobox', 'Labels'), 'zzz');
  await eventually(() => expect(document.body.textContent).toContain('None'));
  expect(offered()).toEqual([]);
});
