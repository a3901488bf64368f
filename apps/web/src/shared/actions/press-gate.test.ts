import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPressGate } from './press-gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the second half of a double click stays outside, during the act and just after it', () => {
  const gate = createPressGate();
  expect([gate.enter('pause'), gate.enter('pause')]).toEqual([true, false]);
  gate.leave('pause', true);
  expect(gate.enter('pause')).toBe(false);
  vi.advanceTimersByTime(1_001);
  expect(gate.enter('pause')).toBe(true);
});

test('another act, or the same after another one, comes in at once', () => {
  const gate = createPressGate();
  gate.enter('pause');
  expect(gate.enter('pause of another one')).toBe(true);
  gate.leave('pause', true);
  expect(gate.enter('resume')).toBe(true);
  expect(gate.enter('pause')).toBe(true);
});

test('a refused act may be tried again at once', () => {
  const gate = createPressGate();
  gate.enter('save');
  gate.leave('save', false);
  expect(gate.enter('save')).toBe(true);
});
