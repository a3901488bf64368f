import { expect, test } from 'vitest';
import { applyRollups } from '../src/analytics/apply-rollups.ts';
import { QueryError } from '../src/query-error.ts';

test('a step of the rollups that fails keeps no other from its work, and is told', async () => {
  const done: string[] = [];
  const client = {
    async query(text: string) {
      const [, step = ''] = /SELECT (\w+)\(/.exec(text) ?? [];
      if (step === 'apply_rollups') throw new QueryError({ code: '22003' });
      done.push(step);
      return { rows: [{ more: false }], rowCount: 1 };
    },
  };
  await expect(applyRollups(client as never)).rejects.toThrow('22003');
  expect(done).toEqual([
    ...['check_replies_to_runs', 'check_replies_to_messages', 'check_opt_outs_of_runs', 'count_outcomes'],
  ]);
});
