import { useLayoutEffect, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { Menu } from '../../src/ui/overlays/menu.tsx';
import { eventually, find, press, show } from '../screen.tsx';

// The first test of the file, because the file of all popups is loaded once.
test('an arrow key that comes before the file of the popups opens the menu', async () => {
  show(<Menu trigger={<button type="button">Export</button>} entries={[{ label: 'CSV', onSelect() {} }]} />);
  const button = await find('button', 'Export');
  button.focus();
  const key = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true });
  button.dispatchEvent(key);
  expect(key.defaultPrevented).toBe(true);
  const entry = await find('menuitem', 'CSV');
  await eventually(() => expect(document.activeElement).toBe(entry));
});

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

test('an entry that is pressed again while the menu fades away is chosen once', async () => {
  const fading = { finished: new Promise<never>(() => {}), pending: false, playState: 'running' };
  vi.spyOn(Element.prototype, 'getAnimations').mockReturnValue([fading as unknown as Animation]);
  const onSelect = vi.fn<() => void>();
  show(<Menu trigger={<button type="button">Export</button>} entries={[{ label: 'CSV', onSelect }]} />);
  const button = await find('button', 'Export');
  press(button);
  const entry = await find('menuitem', 'CSV');
  press(entry);
  await eventually(() => expect(button.ariaExpanded).toBe('false'));
  expect(entry.isConnected).toBe(true);
  press(entry);
  expect(onSelect).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

/** Presses the button as soon as it stands, when nothing else of the page has been run yet. */
function PressedAtOnce({ children }: { children: ReactNode }) {
  useLayoutEffect(() => press(document.querySelector('button')!), []);
  return children;
}

test('a press that comes as soon as the button stands opens it', async () => {
  show(
    <PressedAtOnce>
      <Menu trigger={<button type="button">Import</button>} entries={[{ label: 'File', onSelect() {} }]} />
    </PressedAtOnce>,
  );
  expect(await find('menuitem', 'File')).toBeTruthy();
});

test('a press lights its button before the menu is drawn', async () => {
  show(<Menu trigger={<button type="button">Export</button>} entries={[{ label: 'CSV', onSelect() {} }]} />);
  const button = await find('button', 'Export');
  const seen: string[] = [];
  const note = (what: string, isSeen: boolean) => isSeen && !seen.includes(what) && seen.push(what);
  const observer = new MutationObserver(() => {
    note('lit', 'pressed' in button.dataset);
    note('drawn', document.querySelector('[role=menu]') !== null);
  });
  observer.observe(document, { attributes: true, childList: true, subtree: true });
  press(button);
  await find('menuitem', 'CSV');
  observer.disconnect();
  expect(seen).toEqual(['lit', 'drawn']);
});
