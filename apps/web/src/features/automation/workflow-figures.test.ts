import { expect, test } from 'vitest';
import { secondsSaved, sumStats } from './workflow-figures.ts';

const stats = { triggered: 10, completed: 6, failed: 2, cancelled: 1, running: 1 };

test('figures of several workflows are added up', () => {
  expect(sumStats([{ stats }, { stats }])).toEqual({ triggered: 20, completed: 12, failed: 4 });
});

test('time is saved by completed runs, for each step that would be work', () => {
  const steps = ['send_message', 'wait', 'wait_for_reply', 'branch', 'add_tag'];
  expect(secondsSaved([{ stats, steps }], 2)).toBe(6 * 2 * 2 * 60);
  expect(secondsSaved([{ stats, steps: ['wait'] }], 2)).toBe(0);
});
