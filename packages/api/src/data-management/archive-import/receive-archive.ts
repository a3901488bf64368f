import { checkAccess } from '@app/contracts/data-management/archive-imports-contract';
import { BackupError } from '@app/database/backup/backup-error';
import { ArchiveTooOld, readArchiveHead } from '@app/database/backup/read-in/open-archive';
import { MOST_ARCHIVE_BYTES, type ArchiveFault } from '@app/domain/data-management/archive-import';
import { isUuid } from '@app/domain/uuid';
import type { MediaDraft } from '../../platform/media-store.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { FileRoute } from '../../platform/http-edge/file-routes.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import { BodyInterrupted, BodyTooSlow } from '../../platform/http-edge/read-body.ts';
import {
  findArchiveImport,
  giveArchiveImportUp,
  storeArchiveImport,
  keyOfArchiveImport,
  openArchiveImport,
  presentArchiveImport,
  touchArchiveImport,
  type Attempt,
} from './archive-import-rows.ts';

const TOUCH_EVERY_MS = 5_000;
const STALLED_AFTER_MS = 60_000;
/** What stands in front is read as soon as so much is here, so that what is no archive need not arrive. */
const HEAD_BYTES = 1024 * 1024 + 64;

/**
 * `POST /api/data/archive-readings?readingId=&fileName=`: the body is an archive. The caller chooses the id: a second request of one whose file is
 * here answers the same. The bytes go to the store piece by piece; nothing of the workspace changes.
 */
export const receiveArchiveFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/data/archive-readings',
    access: [...checkAccess],
    needsReauthentication: true,
    body: { most: 'streamed' },
    answer: receive,
  },
];

async function receive(request: Request, context: SignedInContext): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  const id = query.get('readingId')?.toLowerCase() ?? '';
  const fileName = (query.get('fileName') ?? '').slice(0, 255).toWellFormed();
  if (!isUuid(id)) return refuse('invalid_input', { message: 'readingId: Invalid UUID' });
  if (!request.body) return refuseArchive('empty');
  if (Number(request.headers.get('content-length') ?? 0) > MOST_ARCHIVE_BYTES)
    return refuseArchive('too_large');
  const opened = await context.change((scope) => openArchiveImport(scope, { id, fileName }));
  if (opened === null) return refuse('archive_reading_under_way');
  if (opened === 'here') return answer(context, id);
  let isKept = false;
  try {
    const fault = await keepBytes(context, opened, request.body);
    isKept = fault === null;
    return fault === null ? await answer(context, id) : refuseArchive(fault);
  } finally {
    if (!isKept) await context.change((scope) => giveArchiveImportUp(scope, opened));
  }
}

async function answer(context: SignedInContext, id: string): Promise<Response> {
  const found = await context.read((scope) => findArchiveImport(scope, id));
  if (!found) return refuse('archive_reading_not_found');
  return Response.json(presentArchiveImport(found, context.clock()), { status: 201 });
}

async function keepBytes(
  context: SignedInContext,
  attempt: Attempt,
  body: ReadableStream<Uint8Array>,
): Promise<ArchiveFault | null> {
  const draft = await context.mediaStore.begin();
  let touchedAt = performance.now();
  let isHeadRead = false;
  try {
    for await (const bytes of readSteadily(body)) {
      await draft.append(bytes);
      if (draft.size() > MOST_ARCHIVE_BYTES) return 'too_large';
      if (!isHeadRead && draft.size() >= HEAD_BYTES) {
        await readHead(draft);
        isHeadRead = true;
      }
      if (performance.now() - touchedAt < TOUCH_EVERY_MS) continue;
      touchedAt = performance.now();
      // Another request has taken it over.
      if (!(await context.change((scope) => touchArchiveImport(scope, attempt)))) return 'truncated';
    }
    if (draft.size() === 0) return 'empty';
    const head = { ...(await readHead(draft)), bytes: draft.size() };
    const key = keyOfArchiveImport(context.caller.workspaceId, attempt.id, attempt.attempt);
    await draft.keepAs(key);
    const isKept = await context.change((scope) => storeArchiveImport(scope, attempt, head));
    if (!isKept) await context.mediaStore.remove(key);
    return isKept ? null : 'truncated';
  } catch (error) {
    if (error instanceof BackupError) return error.fault;
    if (error instanceof ArchiveTooOld) return 'older';
    throw error;
  } finally {
    await draft.discard();
  }
}

function readHead(draft: MediaDraft) {
  const pieces = async function* () {
    yield await draft.read(0, Math.min(draft.size(), HEAD_BYTES));
  };
  return readArchiveHead(pieces());
}

/** A sender that falls silent or goes away is told from one that is done. */
async function* readSteadily(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(reject, STALLED_AFTER_MS, new BodyTooSlow());
      });
      const { value, done } = await Promise.race([reader.read(), stalled])
        .catch((error: unknown) => {
          throw error instanceof BodyTooSlow ? error : new BodyInterrupted();
        })
        .finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function refuseArchive(fault: ArchiveFault): Response {
  return refuse('archive_refused', { details: { values: { fault } } });
}
