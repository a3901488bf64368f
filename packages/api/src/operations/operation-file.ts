import { isReauthenticationRecent } from '@app/domain/auth/reauthentication';
import { rulesOf } from '@app/domain/operations/operation-kinds';
import { isUuid } from '@app/domain/uuid';
import { readPart } from '../platform/operations/operation-parts.ts';
import { findOperation } from '../platform/operations/operation-rows.ts';
import { maySee, presentOperation } from '../platform/operations/present-operation.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { answerFile } from '../platform/http-edge/send-download.ts';

export const operationFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/operations/:operationId/file',
    access: 'signed-in',
    answer: (_, context, parameter) => sendFile(parameter('operationId'), context),
  },
];

/** What came of an act as a file, piece by piece, for whoever may do such acts. */
async function sendFile(operationId: string, context: SignedInContext): Promise<Response> {
  const row = isUuid(operationId) ? await context.read((scope) => findOperation(scope, operationId)) : null;
  if (!row || !maySee(context.caller, row.kind)) return refuse('operation_not_found');
  const { file, fileGone } = presentOperation(row, { caller: context.caller, now: context.clock() });
  if (fileGone) return refuse('operation_file_gone');
  if (!file) return refuse('operation_not_found');
  if (
    rulesOf(row.kind).fileNeedsProof &&
    !isReauthenticationRecent(context.session.provenAt, context.clock())
  )
    return refuse('password_needed');
  let part = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const place = { workspaceId: row.workspace_id, operationId };
      const bytes = await context.read((scope) => readPart(scope, place, part));
      part += 1;
      if (bytes) controller.enqueue(new Uint8Array(bytes));
      else if (part <= (row.result.parts ?? 0))
        controller.error(new Error('The file went while it was read.'));
      else controller.close();
    },
  });
  return answerFile(body, { name: file.name, type: row.file_type ?? 'application/octet-stream' });
}
