import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { OrderedList } from '../../src/features/rcs/messages/ordered-list.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, findAll, press, show } from '../screen.tsx';

beforeAll(() => loadMessages('rcs'));

function Cards() {
  const [items, setItems] = useState(['a', 'b', 'c'].map((key) => ({ key })));
  return (
    <OrderedList
      label="Cards"
      items={items}
      nameOf={(index) => `Card ${index + 1}`}
      wordsOf={({ key }) => `Says ${key}`}
      onChange={setItems}
    >
      {({ key }) => <p>{key}</p>}
    </OrderedList>
  );
}

const order = () => findAll('listitem').map((part) => part.querySelector('p')?.textContent);
const focused = () => document.activeElement?.getAttribute('aria-label');

test('the focus stays with a part that is moved to the end, and goes to the neighbour of one that is removed', async () => {
  show(<Cards />);
  press(await find('button', 'Move Card 3 up'));
  await eventually(() => expect([order(), focused()]).toEqual([['a', 'c', 'b'], 'Move Card 2 up']));
  press(await find('button', 'Move Card 2 up'));
  // Nothing goes further up.
  await eventually(() => expect([order(), focused()]).toEqual([['c', 'a', 'b'], 'Move Card 1 down']));
  press(await find('button', 'Remove Card 1'));
  await eventually(() => expect([order(), focused()]).toEqual([['a', 'b'], 'Remove Card 1']));
});

test('while a part is dragged, all parts are in sight without their content', async () => {
  show(<Cards />);
  const point = (type: string, target: EventTarget | null | undefined, clientY: number) =>
    target?.dispatchEvent(
      Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientY }), { pointerId: 7 }),
    );
  const hidden = () =>
    findAll('listitem').map((part) => part.querySelector('p')?.closest('[hidden]') !== null);
  await find('button', 'Move Card 3 up');
  const handle = findAll('listitem')[0]?.querySelector('[data-grip]');
  point('pointerdown', handle, 10);
  await eventually(() => expect(hidden()).toEqual([true, true, true]));
  // Names are those of places: what each part says tells which one it is.
  expect(findAll('listitem').map((part) => part.querySelector('bdi')?.textContent)).toEqual([
    ...['Says a', 'Says b', 'Says c'],
  ]);
  // All parts lie at 0 here: a pointer below where it began is below all others.
  point('pointermove', window, 20);
  await eventually(() => expect(order()).toEqual(['b', 'c', 'a']));
  point('pointerup', window, 20);
  await eventually(() => expect(hidden()).toEqual([false, false, false]));
});

test('a second finger does not end a drag, and one that is interrupted ends', async () => {
  show(<Cards />);
  const point = (type: string, target: EventTarget | null | undefined, pointerId: number) =>
    target?.dispatchEvent(
      Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientY: 10 }), { pointerId }),
    );
  const isDragged = () => findAll('listitem').some((part) => part.querySelector('[hidden]') !== null);
  await find('button', 'Move Card 3 up');
  point('pointerdown', findAll('listitem')[1]?.querySelector('[data-grip]'), 7);
  await eventually(() => expect(isDragged()).toBe(true));
  point('pointerup', window, 8);
  expect(isDragged()).toBe(true);
  point('pointercancel', window, 7);
  await eventually(() => expect(isDragged()).toBe(false));
  expect(order()).toEqual(['a', 'b', 'c']);
});
