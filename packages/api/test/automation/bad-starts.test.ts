import { QueryError } from '@app/database/query-error';
import { createFlowEngine } from '@app/flows/flow-engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { addSweeps, type Swept } from '../../src/automation/engine/sweeps/sweep.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture({}, { isWorking: false });
});
afterAll(() => flows.api.close());

test('a start that fails whenever it is tried keeps no other from becoming a run, and becomes one once it can', async () => {
  const { api } = flows;
  const flow = (tag: string) => ({
    ...{ triggers: [tagged(tag)], start: 'end' },
    steps: [step('end', 'stop', { outcome: 'completed' })],
  });
  const bad = await flows.publish(flow('bad'));
  const good = await flows.publish(flow('good'));
  for (const tag of ['good', 'bad', 'good']) await flows.addContact({ tags: [tag] });
  await api.facts.catchUp();
  let isMended = false;
  const host = openFlowHost(api.parts);
  const engine = createFlowEngine({
    ...host,
    findAnswered: async (transaction, starts) => {
      if (!isMended && starts.some(({ flowId }) => flowId === bad.id))
        throw new QueryError({ code: '22P02' });
      return (await host.findAnswered?.(transaction, starts)) ?? new Map();
    },
  });
  const statuses = async ({ id }: { id: string }) => (await flows.runsOf(id)).map(({ status }) => status);

  await engine.drain();
  expect(await statuses(good)).toEqual(['completed', 'completed']);
  expect(await statuses(bad)).toEqual([]);
  isMended = true;
  api.advance(60_000);
  await engine.drain();
  expect(await statuses(bad)).toEqual(['completed']);
});

test('a start for many that fails whenever it is tried keeps no other waiting', async () => {
  const { api } = flows;
  const { id } = await flows.publish({
    ...{ triggers: [tagged('swept')], start: 'end' },
    steps: [step('end', 'stop', { outcome: 'completed' })],
  });
  const sweep = (source: string, chosen: Swept, dueAt: Date) => ({
    ...{ flowId: id, version: 1, triggerId: 'begin', source, chosen, values: {}, depth: 0 },
    ...{ at: api.parts.clock(), dueAt },
  });
  const unreadable = { kind: 'audience', audience: null } as unknown as Swept; // as no version writes it
  await changeAsSystem(api.parts, 'upkeep', api.workspaceId, (scope) =>
    addSweeps(scope, [
      sweep('unreadable', unreadable, new Date(0)),
      sweep('readable', { kind: 'nobody' }, api.parts.clock()),
    ]),
  );
  await createFlowEngine(openFlowHost(api.parts)).drain();
  expect((await flows.runsOf(id)).map(({ status }) => status)).toEqual(['completed']);
});
