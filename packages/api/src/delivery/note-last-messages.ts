import { noteCampaignMessages } from '@app/database/contacts/note-campaigns';
import { findUnnotedRuns, markNoted, type UnnotedRun } from '@app/delivery/noted-runs';
import { every } from '../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../platform/system-work.ts';

/** Whoever writes to one of them waits for a moment at most. */
const AT_ONCE = 1_000;

/** Behind the runs: nothing that sends or takes reports waits for it, and a process that dies leaves a look that is begun anew. */
export const noteLastMessages = every(30, {
  name: 'campaign-last-messages',
  timeoutSeconds: 1_800,
  run: (parts, signal) => noteAll(parts, 'small', signal),
});

/** Beside them, so that no small campaign waits until a large one is gone through. */
export const noteLargeCampaigns = every(60, {
  name: 'large-campaign-last-messages',
  timeoutSeconds: 1_800,
  run: (parts, signal) => noteAll(parts, 'large', signal),
});

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger'>;

/** One run whose people cannot be written now leaves the others alone. */
export async function noteAll(parts: Parts, size: 'small' | 'large', signal?: AbortSignal): Promise<void> {
  const unnoted = await findUnnotedRuns(parts.db.systemPool, size);
  const rows = unnoted.map((run) => ({ run, workspace_id: run.workspaceId }));
  await sweepEach(parts, rows, ({ run }) => noteRun(parts, run, signal));
}

async function noteRun(
  parts: Parts,
  { runNo, workspaceId, total, results }: UnnotedRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let from = 0; from < total; from += AT_ONCE) {
    if (signal?.aborted) return;
    await changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
      noteCampaignMessages(scope, { runNo, workspaceId, from, to: from + AT_ONCE }),
    );
  }
  await markNoted(parts.db.systemPool, { runNo, results });
}
