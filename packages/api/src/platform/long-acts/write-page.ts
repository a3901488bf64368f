import type { WorkspaceScope } from '../workspace-scope.ts';
import { nameFile } from '../rim/send-download.ts';
import { keepPart } from './act-parts.ts';
import type { JsonObject, StoredAct } from './long-act-rows.ts';
import type { LastStep } from './step-act.ts';

export type FilePage = {
  bytes: Uint8Array;
  rows: number;
  isLast: boolean;
  /** Where the next page begins. */
  resume: JsonObject;
  file: { subject: string; extension: 'csv' | 'json' | 'xlsx'; type: string };
};

/** One page of a file that is written in the background, as a step: what a process wrote before it died stays written. */
export async function writePage(
  scope: WorkspaceScope,
  act: StoredAct,
  { bytes, rows, isLast, resume, file }: FilePage,
): Promise<LastStep> {
  const part = act.result.parts ?? 0;
  await keepPart(scope, { workspaceId: scope.workspaceId, actId: act.id }, part, bytes);
  return {
    ...{ done: rows, resume, result: { parts: 1 }, isOver: isLast },
    file: isLast ? { name: nameFile({ ...file, at: act.created_at }), type: file.type } : null,
  };
}
