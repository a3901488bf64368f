import { createHash } from 'node:crypto';
import { isUuid } from '@app/domain/uuid';
import { readPhoneCountry } from '@app/domain/contacts/phone-country';
import { duplicateRules, readTarget, type ImportMapping } from '@app/domain/contact-imports/contact-import';
import { isActKey } from '../platform/idempotency.ts';
import { holdConnection } from '../platform/request-scopes.ts';
import { refuse } from '../platform/rim/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findImport } from './contact-imports-queries.ts';
import {
  beginImport,
  completeImport,
  endImport,
  reportProgress,
  type ImportAttempt,
} from './import-attempt.ts';
import type { ImportPlaces } from './import-places.ts';
import { ImportRefused } from './import-text.ts';
import type { ImportChoices, ImportProgress, ImportRun } from './import-run.ts';
import { runImport } from './run-import.ts';

const READABLE_TYPES = ['text/csv', 'text/plain', 'application/json', 'application/octet-stream', ''];
const REPORT_EVERY_MS = 500;
const STALLED_AFTER_MS = 60_000;

/**
 * `POST /api/contacts/imports?importId=&fileName=`: the body is the file itself and is imported while it arrives. The
 * caller chooses the id, so that it can ask for progress meanwhile and the file is imported once; its idempotency key stands
 * for one. It goes on when the caller stops listening.
 */
export async function receiveImport(
  request: Request,
  context: SignedInContext,
  places: ImportPlaces,
): Promise<Response> {
  const url = new URL(request.url);
  const importId = url.searchParams.get('importId')?.toLowerCase() ?? idOfKey(context);
  const fileName = (url.searchParams.get('fileName') ?? '').slice(0, 255);
  if (importId === null) return refuse('idempotency_key_required');
  if (!isUuid(importId)) return refuse('invalid_input', { message: 'importId: Invalid UUID' });
  if (!isReadable(request, fileName)) return refuse('contact_import_type_unsupported');
  const choices = readChoices(url.searchParams);
  if (!choices)
    return refuse('invalid_input', { message: 'duplicates, dryRun, mapping or country: not understood' });
  if (!request.body) return refuse('contact_import_failed', { message: 'The file is empty.' });
  const leave = places.take(context.caller.workspaceId);
  if (!leave) return refuse('contact_import_busy');
  try {
    const attempt = { importId, at: context.clock() };
    const isNew = await begin(request, context, attempt, { fileName, isDryRun: choices.isDryRun });
    if (!isNew) return refuse('contact_import_begun', { details: { importId } });
    return await importBody(request.body, { ...attempt, fileName, choices }, context);
  } finally {
    leave();
  }
}

/** The same key of the same person is always the same import. */
function idOfKey({ session, idempotencyKey }: SignedInContext): string | null {
  if (!isActKey(idempotencyKey)) return null;
  const digest = createHash('sha256').update(`${session.workspaceId} ${session.user.id} ${idempotencyKey}`);
  return digest.digest('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

function begin(
  request: Request,
  context: SignedInContext,
  attempt: ImportAttempt,
  begun: { fileName: string; isDryRun: boolean },
): Promise<boolean> {
  const userId = context.session.user.id;
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  const totalBytes = Number.isSafeInteger(length) ? length : null;
  return context.change((scope) => beginImport(scope, attempt, { ...begun, userId, totalBytes }));
}

async function importBody(
  body: ReadableStream<Uint8Array>,
  begun: ImportAttempt & Pick<ImportRun, 'fileName' | 'choices'>,
  context: SignedInContext,
): Promise<Response> {
  const { importId, choices } = begun;
  const progress = startProgress();
  const cancelling = new AbortController();
  const report = () =>
    context
      .change((scope) => reportProgress(scope, begun, progress))
      .then((isCancelled) => isCancelled && cancelling.abort(new ImportCancelled()))
      .catch((error: unknown) => context.logger.warn({ err: error, importId }, 'import progress not saved'));
  const timer = setInterval(report, REPORT_EVERY_MS);
  try {
    const run: ImportRun = {
      ...begun,
      secrets: context.secrets,
      bytes: readBody(body, progress, cancelling.signal),
      progress,
      signal: cancelling.signal,
      beforeCommit: async (scope) => {
        if (!(await completeImport(scope, begun, progress)))
          throw new Error('The import was given up before it was complete.');
        const { successful: imported, optOuts } = progress;
        if (imported + optOuts > 0 && !choices.isDryRun)
          await scope.tell({ type: 'contacts.imported', subject: importId, values: { imported } });
      },
      onUntidy: (error) => context.logger.warn({ err: error, importId }, 'not tidied after an import'),
    };
    await holdConnection(context, (held) => runImport(held, run));
  } catch (error) {
    const refusal = await settleFailure(error, begun, context);
    if (refusal) return refusal;
  } finally {
    clearInterval(timer);
  }
  return Response.json(await context.read((scope) => findImport(scope, importId)));
}

function startProgress(): ImportProgress {
  return {
    ...{ phase: 'reading', receivedBytes: 0, rows: 0, columns: null },
    ...{ successful: 0, updated: 0, failed: 0, optedOut: 0, optOuts: 0, optIns: 0 },
  };
}

/** Null when the import is done in spite of the error: the row knows, and is answered. */
async function settleFailure(
  error: unknown,
  attempt: ImportAttempt,
  context: SignedInContext,
): Promise<Response | null> {
  const { importId } = attempt;
  const isCancelled = error instanceof ImportCancelled;
  const isRefused = error instanceof ImportRefused;
  if (!isCancelled && !isRefused) context.logger.error({ err: error, importId }, 'import failed');
  const reason = isCancelled
    ? null
    : isRefused
      ? error.message
      : 'Something went wrong on our side. Nothing was imported.';
  const state = isCancelled ? 'cancelled' : 'failed';
  const settled = await context.change(async (scope) => {
    if (await endImport(scope, attempt, { state, reason }))
      await scope.tell({ type: 'contact_import.ended', subject: importId, values: { state } });
    return findImport(scope, importId);
  });
  if (settled?.state === 'done') return null;
  if (isCancelled) return Response.json(settled);
  return refuse(isRefused ? 'contact_import_failed' : 'internal', { message: reason ?? '' });
}

class ImportCancelled extends Error {}

/** The body piece by piece. A sender that falls silent or goes away is told from one that is done. */
async function* readBody(
  body: ReadableStream<Uint8Array>,
  progress: ImportProgress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const { value, done } = await readInTime(reader);
      signal.throwIfAborted();
      if (done) return;
      progress.receivedBytes += value.byteLength;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(
      reject,
      STALLED_AFTER_MS,
      new ImportRefused('The upload stopped before it was complete.'),
    );
  });
  try {
    return await Promise.race([reader.read(), stalled]);
  } catch (error) {
    throw error instanceof ImportRefused
      ? error
      : new ImportRefused('The upload was interrupted before it was complete.');
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `duplicates=skip|update`, `dryRun=1`, `country=DE` for numbers without a country code, and `mapping` as JSON: heading
 * of the file to column of ours, to `firstName` or `lastName`, to `consent` or `optOut`, or to `custom:` and the key of a field.
 * `consentStated=1`: the caller states that whoever the file says yes for agreed to get marketing.
 */
function readChoices(query: URLSearchParams): ImportChoices | null {
  const duplicates = duplicateRules.find((rule) => rule === (query.get('duplicates') ?? 'skip'));
  const mapping = query.get('mapping');
  const read = mapping === null ? undefined : readMapping(mapping);
  const written = query.get('country');
  const country = written === null ? undefined : readPhoneCountry(written);
  if (!duplicates || read === null || (written !== null && !country)) return null;
  const isDryRun = query.get('dryRun') === '1';
  const isConsentStated = query.get('consentStated') === '1';
  return { duplicates, isDryRun, isConsentStated, mapping: read, country };
}

function readMapping(text: string): ImportMapping | null {
  try {
    const entries = Object.entries<unknown>(JSON.parse(text)).map(([heading, column]) => [
      heading,
      readTarget(column),
    ]);
    return entries.every(([, column]) => column) ? Object.fromEntries(entries) : null;
  } catch {
    return null;
  }
}

function isReadable(request: Request, fileName: string): boolean {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /\.(csv|json)$/i.test(fileName) || (READABLE_TYPES.includes(type) && !/\.\w+$/.test(fileName));
}
