import { archiveAccess } from '@app/contracts/data-management/archives-contract';
import { isUuid } from '@app/domain/uuid';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { openStored } from '../platform/http-edge/open-stored.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { answerFile, nameFile } from '../platform/http-edge/send-download.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findArchive, recordDownload } from './workspace-archives.ts';

/** A whole workspace leaves by it: whoever asks has proved who they are a moment ago, however long the file has been ready. */
export const archiveFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/data/archives/:archiveId/file',
    access: [...archiveAccess],
    needsReauthentication: true,
    answer: (request, context, parameter) => sendArchive(request, context, parameter('archiveId')),
  },
];

async function sendArchive(request: Request, context: SignedInContext, id: string): Promise<Response> {
  const archive = isUuid(id) ? await context.read((scope) => findArchive(scope, id)) : null;
  if (!archive) return refuse('archive_not_found');
  const { key, bytes, withSecrets, createdAt } = archive;
  const opened = await openStored(request, context.mediaStore, {
    key,
    size: bytes,
  });
  if (opened === 'gone')
    return refuse('archive_not_found', {
      message: 'The bytes of this archive are gone.',
    });
  if ('refusal' in opened) return opened.refusal;
  // A request for one byte only asks whether the file is there. A download that is resumed is recorded again.
  if (opened.end > opened.start || bytes === 1)
    await context.change((scope) => recordDownload(scope, { withSecrets }));
  const name = nameFile({
    subject: 'workspace',
    at: createdAt,
    extension: 'archive',
  });
  const { headers, body } = answerFile(opened.body, {
    name,
    type: 'application/octet-stream',
  });
  for (const [header, value] of Object.entries(opened.headers)) headers.set(header, value);
  headers.set('cache-control', 'no-store');
  return new Response(body, { status: opened.status, headers });
}
