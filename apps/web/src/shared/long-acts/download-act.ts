import { notify } from '../../ui/toast.ts';
import { orpc } from '../api.ts';
import { download } from '../acts/download.ts';
import { textOfCode } from '../failure-text.ts';
import { queryClient } from '../query-client.ts';
import { followAct } from './follow-act.ts';
import { isActOver, type LongAct } from './long-acts.ts';
import { dismissAct } from './dismiss-act.ts';
import { inWorkspace } from '../workspaces/tab-workspace.ts';

/** Saves the file that came of an act, and says why when it cannot be had. */
export async function downloadActFile(actId: string, name: string): Promise<void> {
  const error = await download(inWorkspace(`/api/long-acts/${actId}/file`), name);
  if (error !== null) notify.error(textOfCode(error));
}

/**
 * Saves the file of an export as soon as it is written, wherever the person is by then. What is ready at once leaves no line in the
 * banner. Answers with how it ended; null when nobody knows.
 */
export async function downloadWhenReady(begun: LongAct): Promise<LongAct | null> {
  const wasReady = isActOver(begun);
  if (!wasReady) void queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  const act = wasReady ? begun : await followAct(begun.id);
  if (!act?.file) return act;
  await downloadActFile(act.id, act.file.name);
  await (wasReady ? dismissAct(act.id) : queryClient.invalidateQueries({ queryKey: orpc.longActs.key() }));
  return act;
}
