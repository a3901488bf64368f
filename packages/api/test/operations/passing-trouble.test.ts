import { QueryError } from '@app/database/query-error';
import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactImport } from '../../src/contact-imports/import-operation.ts';
import { beginOperation } from '../../src/platform/operations/operation-rows.ts';
import type { OperationKind } from '../../src/platform/operations/operation-kind.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  // Nobody works in the background: an act stands where its first step left it.
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
});
afterAll(() => api.close());

const nothing = () => undefined;
/** The log of what is made to fail here helps nobody. */
const quiet = { info: nothing, warn: nothing, error: nothing };
const run = (kind: OperationKind, id: string, signal = new AbortController().signal) =>
  runOperation({ ...api.parts, logger: quiet }, kind, { id, workspaceId: api.workspaceId, signal });
const stateOf = async (id: string) =>
  (await (await admin.get(`/api/operations/${id}`)).json<{ state: string }>()).state;

test('an import goes on however often the database goes away', async () => {
  const id = newId();
  const answer = await admin.request(`/api/contacts/imports?importId=${id}`, {
    method: 'POST',
    body: 'name,phone\nAnn,+447700900001\n',
    headers: { 'content-type': 'text/csv' },
  });
  expect(answer.status).toBe(202);
  if (!('run' in contactImport)) throw new Error('An import is done in one go.');
  const { run: readFile } = contactImport;
  let troubles = 4;
  const away: OperationKind = {
    ...contactImport,
    run(running) {
      if (troubles === 0) return readFile(running);
      troubles -= 1;
      return Promise.reject(new QueryError({ code: troubles % 2 === 0 ? '57P01' : '53300' }));
    },
  };
  expect(await run(away, id)).toEqual({ state: 'done' });
  expect([troubles, await stateOf(id)]).toEqual([0, 'done']);
});

/** An act of `total` bits, of which `step` does one. */
async function begin(step: (done: number) => void, total: number) {
  const id = newId();
  const wish = {};
  await changeAsSystem(api.parts, 'upkeep', api.workspaceId, (scope) =>
    beginOperation(scope, { ...api.parts, origin: null }, { id, kind: 'contact-removal', total, wish }),
  );
  const kind: OperationKind = {
    name: 'contact-removal',
    onEnd: async () => undefined,
    async step(_, operation) {
      const done = Number(operation.done);
      step(done);
      return { done: 1, isOver: done + 1 === total };
    },
  };
  return { id, kind };
}

test('what fails twice in each place and goes on comes to its end; what fails three times in one does not', async () => {
  const failed = new Map<number, number>();
  const failTimes = (times: (done: number) => number) => (done: number) => {
    const before = failed.get(done) ?? 0;
    failed.set(done, before + 1);
    if (before < times(done)) throw new TypeError('A fault of ours');
  };
  const twice = await begin(
    failTimes(() => 2),
    3,
  );
  expect(await run(twice.kind, twice.id)).toEqual({ state: 'done' });
  failed.clear();
  const often = await begin(
    failTimes((done) => (done === 1 ? 3 : 0)),
    3,
  );
  await expect(run(often.kind, often.id)).rejects.toMatchObject({ code: 'TypeError' });
  expect(await stateOf(often.id)).toBe('failed');
});

test('an act that waits for the database stops with its process', async () => {
  const stopping = new AbortController();
  const { id, kind } = await begin(() => {
    setTimeout(() => stopping.abort());
    throw new QueryError({ code: '08006' });
  }, 1);
  await expect(run(kind, id, stopping.signal)).rejects.toBeInstanceOf(Error);
  expect(await stateOf(id)).toBe('interrupted');
});
