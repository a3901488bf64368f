import { expect, test } from 'vitest';
import { useBottomBar, useTopBar } from '../../src/ui/use-bottom-bar.ts';
import { eventually, show } from '../screen.tsx';

/** A bar that stands at this place of a screen that is 800 high. */
function Bar({ use, top, bottom }: { use: typeof useBottomBar; top: number; bottom: number }) {
  const ref = use();
  return (
    <div
      ref={(bar) => {
        if (bar) bar.getBoundingClientRect = () => ({ top, bottom }) as DOMRect;
        return ref(bar);
      }}
    />
  );
}

const room = (name: string) => document.documentElement.style.getPropertyValue(name);

test.each([
  ['at the end of the screen, they stay above it', 700, 760, '104px'],
  ['above it where there is little room below', 500, 650, '304px'],
  ['at the end of a short page, they have the room below it', 300, 400, '0px'],
])('notifications stay clear of a bar: %s', async (_, top, bottom, expected) => {
  Object.defineProperty(globalThis, 'innerHeight', { value: 800, configurable: true });
  const draw = show(<Bar use={useBottomBar} top={top} bottom={bottom} />);
  dispatchEvent(new Event('resize'));
  await eventually(() => {
    dispatchEvent(new Event('resize'));
    expect(room('--bottom-bar')).toBe(expected);
  });
  draw(null);
  await eventually(() => expect(room('--bottom-bar')).toBe(''));
});

test('they stay below the head of what fills the screen', async () => {
  show(<Bar use={useTopBar} top={40} bottom={96} />);
  await eventually(() => {
    dispatchEvent(new Event('resize'));
    expect(room('--top-bar')).toBe('96px');
  });
});
