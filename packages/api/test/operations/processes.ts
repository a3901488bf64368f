import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

export type Operation = { id: string; state: string; done: number; total: number; wasInterrupted: boolean };

export type Processes = {
  api: ApiFixture;
  admin: ApiCaller;
  start(): Promise<ChildProcess>;
  /** Kills it, and lets the time pass after which it is missed. */
  kill(one: ChildProcess): Promise<void>;
  killAll(): void;
  readOperation(id: string): Promise<Operation>;
  countContacts(): Promise<number>;
  /** What was told of an act, in order. */
  told(id: string): Promise<string[]>;
  expectDone(id: string): Promise<void>;
};

/** An API that leaves everything to processes that are begun and killed. With a sandbox they know the connectors of it. */
export async function openProcesses(
  changes: Parameters<typeof openApiFixture>[0] = {},
  { sandboxUrl }: { sandboxUrl?: string } = {},
): Promise<Processes> {
  const api = await openApiFixture(changes, { isWorking: false });
  const admin = await api.as('admin');
  let running: ChildProcess[] = [];
  const query = async (text: string, values: unknown[] = []) =>
    (await api.db.systemPool.query(text, values)).rows;
  const readOperation = async (id: string) => (await admin.get(`/api/operations/${id}`)).json<Operation>();
  return {
    api,
    admin,
    async start() {
      const started = fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), [
        ...[api.databaseUrl, ...(sandboxUrl === undefined ? [] : [sandboxUrl])],
      ]);
      running.push(started);
      await new Promise((resolve) => started.once('message', resolve));
      return started;
    },
    async kill(one) {
      const gone = new Promise((resolve) => one.once('exit', resolve));
      one.kill('SIGKILL');
      await gone;
      await query(
        `UPDATE jobs.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'`,
      );
    },
    killAll() {
      for (const one of running) one.kill('SIGKILL');
      running = [];
    },
    readOperation,
    countContacts: async () => Number((await query('SELECT count(*) AS n FROM contacts'))[0].n),
    told: async (id) =>
      (await query('SELECT type FROM events WHERE subject_id = $1 ORDER BY id', [id])).map(
        ({ type }) => type,
      ),
    async expectDone(id) {
      await expect
        .poll(() => readOperation(id), { timeout: 100_000, interval: 250 })
        .toMatchObject({ state: 'done', wasInterrupted: true });
    },
  };
}
