import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { OrderedList } from '../../src/features/rcs/messages/ordered-list.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, findAll, press, show } from '../screen.tsx';

beforeAll(() => loadMessages('rcs'));

function Cards() {
  const [items, setItems] = useState(['a', 'b', 'c'].map((key) => ({ key })));
  return (
    <OrderedList label="Cards" items={items} nameOf={(index) => `Card ${index + 1}`} onChange={setItems}>
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
  const drag = (type: string, target: Element | null | undefined) =>
    target?.dispatchEvent(
      Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientY: 10 }), {
        dataTransfer: {},
      }),
    );
  const hidden = () =>
    findAll('listitem').map((part) => part.querySelector('p')?.closest('[hidden]') !== null);
  await find('button', 'Move Card 3 up');
  const handle = findAll('listitem')[0]?.querySelector('[draggable]');
  drag('dragstart', handle);
  await eventually(() => expect(hidden()).toEqual([true, true, true]));
  drag('dragover', findAll('listitem')[2]);
  await eventually(() => expect(order()).toEqual(['b', 'c', 'a']));
  drag('dragend', handle);
  await eventually(() => expect(hidden()).toEqual([false, false, false]));
});
