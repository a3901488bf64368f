import { memoryOfMachine, sharedBuffersOf } from '@app/database/embedded/shared-buffers';
import { expect, test } from 'vitest';

const GIBIBYTE = 2 ** 30;

test.each([
  [0.5, 128],
  [1, 128],
  [2, 256],
  [4, 512],
  [64, 512],
])('of %d GiB of memory the database keeps %d MB of pages', (memory, megabytes) => {
  expect(sharedBuffersOf(memory * GIBIBYTE)).toBe(megabytes);
});

test('the memory is that of the machine, or what a container leaves of it', () => {
  expect(memoryOfMachine()).toBeGreaterThan(0);
  expect(Number.isFinite(memoryOfMachine())).toBe(true);
});
