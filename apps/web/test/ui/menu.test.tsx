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
