import { expect, test, vi } from 'vitest';
import { guardHeldEnter } from '../../src/app/second-half.ts';
import { find, show } from '../screen.tsx';

guardHeldEnter(document);

function keyDown(element: HTMLElement, options: KeyboardEventInit): boolean {
  return element.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...options }),
  );
}

test.each(['button', 'menuitem'])('Enter that is held presses no %s that came under it', async (role) => {
  const heard = vi.fn<() => void>();
  show(
    <div onKeyDown={heard}>
      {role === 'button' ? <button type="button">Pause</button> : <div role="menuitem">Pause</div>}
    </div>,
  );
  const pressed = await find(role, 'Pause');
  expect(keyDown(pressed, { repeat: true })).toBe(false);
  expect(heard).not.toHaveBeenCalled();
  expect(keyDown(pressed, {})).toBe(true);
  expect(keyDown(pressed, { key: 'ArrowDown', repeat: true })).toBe(true);
  expect(heard).toHaveBeenCalledTimes(2);
});

test('a field writes as many lines as it is held for', async () => {
  show(<textarea aria-label="Note" />);
  expect(keyDown(await find('textbox', 'Note'), { repeat: true })).toBe(true);
});
