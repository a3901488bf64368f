import { isProofRecent } from '@app/domain/auth/proofs';
import { rulesOf } from '@app/domain/long-acts/long-act-kinds';
import { isUuid } from '@app/domain/uuid';
import { readPart } from '../platform/long-acts/act-parts.ts';
import { findAct } from '../platform/long-acts/long-act-rows.ts';
import { maySee, presentAct } from '../platform/long-acts/present-act.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { FileRoute } from '../platform/rim/file-routes.ts';
import { refuse } from '../platform/rim/refuse.ts';
import { answerFile } from '../platform/rim/send-download.ts';

export const actFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/long-acts/:actId/file',
    access: 'signed-in',
    answer: (_, context, parameter) => sendFile(parameter('actId'), context),
  },
];

/** What came of an act as a file, piece by piece, for whoever may do such acts. */
async function sendFile(actId: string, context: SignedInContext): Promise<Response> {
  const row = isUuid(actId) ? await context.read((scope) => findAct(scope, actId)) : null;
  if (!row || !maySee(context.caller, row.kind)) return refuse('long_act_not_found');
  const { file, fileGone } = presentAct(row, { caller: context.caller, now: context.clock() });
  if (fileGone) return refuse('long_act_file_gone');
  if (!file) return refuse('long_act_not_found');
  if (rulesOf(row.kind).fileNeedsProof && !isProofRecent(context.session.provenAt, context.clock()))
    return refuse('password_needed');
  let part = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const place = { workspaceId: row.workspace_id, actId };
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
