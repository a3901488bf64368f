import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneKept } from '../../src/platform/retention/prune-kept.ts';
import type { WorkspaceScope } from '../../src/platform/workspace-scope.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
  const both = [api.workspaceId, api.otherWorkspaceId];
  await query(
    `UPDATE workspaces SET settings = settings || '{"retention": {"messages": null, "files": null, "audit": null, "logs": 30}}'
      WHERE id = ANY ($1::uuid[])`,
    [both],
  );
  await query(
    `INSERT INTO platform_events (id, workspace_id, kind, dedup_key, payload, occurred_at, received_at)
     SELECT gen_random_uuid(), w, 'account', 'event ' || n, '{}', now(), now() - interval '40 days'
       FROM unnest($1::uuid[]) AS w, generate_series(1, 3) AS n`,
    [both],
  );
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const left = async (workspaceId: string) =>
  (await query('SELECT FROM platform_events WHERE workspace_id = $1', [workspaceId])).rowCount;

async function pruneOne({ query: ask, workspaceId }: WorkspaceScope, before: Date): Promise<boolean> {
  const { rowCount } = await ask(
    `DELETE FROM platform_events WHERE id IN
       (SELECT id FROM platform_events WHERE workspace_id = $1 AND received_at < $2 LIMIT 1)`,
    [workspaceId, before],
  );
  return rowCount === 1;
}

test('trouble in a workspace ends neither what it had deleted nor the round of the others, and the next time goes on', async () => {
  const warned: object[] = [];
  const logger = { ...api.parts.logger, warn: (fields: object) => void warned.push(fields) };
  const begun = new Map<string, number>();
  let troubled = '';
  await pruneKept({ ...api.parts, logger }, 'logs', async (scope, before) => {
    troubled ||= scope.workspaceId;
    const round = (begun.get(scope.workspaceId) ?? 0) + 1;
    begun.set(scope.workspaceId, round);
    const isMore = await pruneOne(scope, before);
    // Behind the second deletion, which goes back with its transaction.
    if (scope.workspaceId === troubled && round === 2) await scope.query('SELECT 1 / 0');
    return isMore;
  });
  const other = troubled === api.workspaceId ? api.otherWorkspaceId : api.workspaceId;
  expect([await left(troubled), await left(other)]).toEqual([2, 0]);
  expect(warned).toEqual([{ workspace: troubled, kind: 'logs', code: '22012' }]);

  await pruneKept(api.parts, 'logs', pruneOne);
  expect(await left(troubled)).toBe(0);
});
