import type { Reply } from '@app/domain/integrations/contact-connector';
import type { RunRow } from '../integration-rows.ts';
import { applyPage } from './apply-page.ts';
import { lockRoom, readRoom } from './contact-room.ts';
import type { Sync } from './open-sync.ts';
import { add, fetchRecords, listNamed, storeRecords, type InScope } from './read-steps.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-row.ts';
import { lockRun, storeProgress } from './sync-runs.ts';

/**
 * Takes in what webhooks named while a long run is at other records: an opt-out does not wait until a first sync of 100,000 records ends. The run stays
 * where it is. True where there may be more.
 */
export async function hearStep(inScope: InScope, sync: Sync, run: RunRow): Promise<Reply<boolean>> {
  // A preview changes nothing, and the first phase reads them in any case.
  if (run.trigger === 'preview' || run.phase === 'retry') return { ok: true, value: false };
  const named = await inScope((scope) => listNamed(scope, sync, { after: null }));
  if (named.length === 0) return { ok: true, value: false };
  const ids = named.map(({ external_id: id }) => id);
  const reply = await fetchRecords(sync, ids);
  if (!reply.ok) return reply;
  await inScope(async (scope) => {
    await lockRoom(scope);
    if (!(await lockRun(scope, run))) return;
    const read = await storeRecords(scope, sync, reply.value, { isAsked: true });
    const { rows } = await scope.query<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM integration_records
        WHERE workspace_id = $1 AND integration_id = $2 AND external_id = ANY ($3) AND is_pending AND NOT is_held AND remote_values IS NOT NULL
        ORDER BY id FOR UPDATE`,
      [scope.workspaceId, sync.integration.id, ids],
    );
    const { counts } = await applyPage(scope, sync, rows, await readRoom(scope));
    await storeProgress(scope, run.id, { ...run, counts: add(add(run.counts, { read }), counts) });
  });
  return { ok: true, value: true };
}
