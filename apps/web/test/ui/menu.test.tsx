import { expect, test } from 'vitest';
import { Menu } from '../../src/ui/overlays/menu.tsx';
import { eventually, find, press, show } from '../screen.tsx';

test('nothing that can have the focus is hidden from screen readers while it is open', async () => {
  show(<Menu trigger={<button type="button">Export</button>} entries={[{ label: 'CSV', onSelect() {} }]} />);
  press(await find('button', 'Export'));
  await find('menuitem', 'CSV');
  const hidden = '[aria-hidden="true"][tabindex="0"], [aria-hidden="true"] [tabindex="0"]';
  await eventually(() => {
    expect(document.querySelectorAll('[data-base-ui-focus-guard]')).not.toHaveLength(0);
    expect([...document.querySelectorAll(hidden)].map(({ outerHTML }) => outerHTML)).toEqual([]);
  });
});

test('a double click opens it, and the next press closes it', async () => {
  show(<Menu trigger={<button type="button">Export</button>} entries={[{ label: 'CSV', onSelect() {} }]} />);
  const button = await find('button', 'Export');
  press(button);
  await find('menuitem', 'CSV');
  const mouseDown = (detail: number) =>
    button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail }));
  mouseDown(2);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(button.ariaExpanded).toBe('true');
  mouseDown(1);
  await eventually(() => expect(button.ariaExpanded).toBe('false'));
});
