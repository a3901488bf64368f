import { noteCampaignMessages } from '@app/database/contacts/note-campaigns';
import { findUnnotedRuns, markNoted } from '@app/delivery/noted-runs';
import { every } from '../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';

/** Whoever writes to one of them waits for a moment at most. */
const AT_ONCE = 1_000;

/** Behind the runs: nothing that sends or takes reports waits for it, and a process that dies leaves a look that is begun anew. */
export const noteLastMessages = every(30, {
  name: 'campaign-last-messages',
  timeoutSeconds: 1_800,
  run: (parts, signal) => noteAll(parts, signal),
});

export async function noteAll(
  parts: Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const { runNo, workspaceId, total, results } of await findUnnotedRuns(parts.db.systemPool)) {
    for (let from = 0; from < total; from += AT_ONCE) {
      if (signal?.aborted) return;
      await changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
        noteCampaignMessages(scope, { runNo, workspaceId, from, to: from + AT_ONCE }),
      );
    }
    await markNoted(parts.db.systemPool, { runNo, results });
  }
}
