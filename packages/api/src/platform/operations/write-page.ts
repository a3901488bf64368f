import type { WorkspaceScope } from '../workspace-scope.ts';
import { nameFile } from '../http-edge/send-download.ts';
import { keepPart } from './operation-parts.ts';
import type { JsonObject, StoredOperation } from './operation-rows.ts';
import type { LastStep } from './step-operation.ts';

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
  operation: StoredOperation,
  { bytes, rows, isLast, resume, file }: FilePage,
): Promise<LastStep> {
  const part = operation.result.parts ?? 0;
  await keepPart(scope, { workspaceId: scope.workspaceId, operationId: operation.id }, part, bytes);
  return {
    ...{ done: rows, resume, result: { parts: 1 }, isOver: isLast },
    file: isLast ? { name: nameFile({ ...file, at: operation.created_at }), type: file.type } : null,
  };
}
