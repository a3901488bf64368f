import { afterEach, expect, test, vi } from 'vitest';
import { playPing } from '../../src/shared/alerts/play-ping.ts';

const opened = vi.fn<() => void>();

afterEach(() => {
  vi.unstubAllGlobals();
  opened.mockClear();
});

function enter({ hasBeenActive }: { hasBeenActive: boolean }): void {
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        opened();
        throw new Error('This browser has no sound.');
      }
    },
  );
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive } });
}

test.each([
  ['nobody has pressed anything yet: no sound, and no warning of the browser', false, 0],
  ['somebody has pressed something: it sounds', true, 1],
])('%s', (_, hasBeenActive, times) => {
  enter({ hasBeenActive });
  playPing();
  expect(opened).toHaveBeenCalledTimes(times);
});
