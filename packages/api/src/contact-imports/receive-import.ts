import { createHash } from 'node:crypto';
import { callerKey } from '@app/domain/auth/caller';
import { overStates } from '@app/domain/operations/operation-state';
import { isUuid } from '@app/domain/uuid';
import { describeFileProblem, type FileProblemCode } from '@app/domain/contact-imports/import-problems';
import { isIdempotencyKey } from '../platform/idempotency.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findImport, type ContactImport } from './contact-imports-queries.ts';
import type { ImportPlaces } from './import-places.ts';
import { readChoices } from './import-choices.ts';
import { contactImport } from './import-operation.ts';
import { openProbe } from './probe-file.ts';
import { keepUpload } from './keep-upload.ts';
import { beginUpload, MOST_WAITING } from './begin-upload.ts';
import { waitForEnd } from './wait-for-end.ts';

const READABLE_TYPES = [
  ...[
    'text/csv',
    'text/plain',
    'text/tab-separated-values',
    'text/vcard',
    'text/x-vcard',
    'application/json',
    'application/octet-stream',
    '',
  ],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

/**
 * `POST /api/contacts/imports?importId=&fileName=`: the body is the file itself. The caller chooses the id, so that it can ask for
 * progress meanwhile and the file is imported once; its idempotency key stands for one. Once the file is here it is answered (202), and the
 * import goes on whatever becomes of the caller or of this process. `Prefer: wait=30` has the answer wait so many seconds for what comes of it.
 */
export async function receiveImport(
  request: Request,
  context: SignedInContext,
  places: ImportPlaces,
): Promise<Response> {
  const url = new URL(request.url);
  const importId = url.searchParams.get('importId')?.toLowerCase() ?? idOfKey(context);
  const fileName = (url.searchParams.get('fileName') ?? '').slice(0, 255).toWellFormed();
  if (importId === null) return refuse('idempotency_key_required');
  if (!isUuid(importId)) return refuse('invalid_input', { message: 'importId: Invalid UUID' });
  if (!isReadable(request, fileName)) return refuse('contact_import_type_unsupported');
  const choices = readChoices(url.searchParams, context.clock());
  if ('field' in choices)
    return refuse('invalid_input', {
      message: `${choices.field}: ${choices.problem}`,
      details: { field: choices.field },
    });
  if (!request.body) return refuseFile('empty');
  const leave = places.take(context.caller.workspaceId);
  if (!leave) return refuse('contact_import_busy');
  let isKept: boolean;
  try {
    const upload = await beginUpload(context, contactImport, {
      importId,
      fileName,
      choices,
      length: readLength(request),
    });
    if (upload === 'contact_import_begun') return refuse(upload, { details: { importId } });
    if (upload === 'contact_imports_waiting')
      return refuse(upload, { details: { values: { most: MOST_WAITING } } });
    const probe = await openProbe(context, choices);
    isKept = await keepUpload(context, contactImport, upload, { body: request.body, probe });
  } finally {
    leave();
  }
  const seconds = readPatience(request);
  if (isKept && seconds > 0) await waitForEnd(context, importId, { seconds, gone: request.signal });
  const outcome = await context.read((scope) => findImport(scope, importId));
  if (outcome?.state !== 'failed')
    return Response.json(outcome, { status: isKept && !isEnd(outcome?.state) ? 202 : 200 });
  return refuseFile(outcome.problem?.code ?? 'unknown', outcome.problem?.values);
}

function refuseFile(code: string, values: Record<string, string | number> = {}): Response {
  const message = describeFileProblem({ code, values });
  if (code === ('internal' satisfies FileProblemCode)) return refuse('internal', { message });
  return refuse('contact_import_failed', { message, details: { values: { ...values, problem: code } } });
}

function isEnd(state: ContactImport['state'] | undefined): boolean {
  return state === 'undone' || overStates.some((over) => over === state);
}

/** RFC 7240: how many seconds the caller would rather wait for the outcome. */
function readPatience(request: Request): number {
  const [, seconds = '0'] =
    /(?:^|,)\s*wait=(\d{1,6})\s*(?:[,;]|$)/i.exec(request.headers.get('prefer') ?? '') ?? [];
  return Number(seconds);
}

function readLength(request: Request): number | null {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

/** The same idempotency key of the same caller is always the same import. */
function idOfKey({ caller, idempotencyKey }: SignedInContext): string | null {
  if (!isIdempotencyKey(idempotencyKey)) return null;
  const digest = createHash('sha256').update(`${callerKey(caller)} ${idempotencyKey}`);
  return digest.digest('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

function isReadable(request: Request, fileName: string): boolean {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    /\.(csv|json|xlsx|tsv|txt|vcf|vcard)$/i.test(fileName) ||
    (READABLE_TYPES.includes(type) && !/\.\w+$/.test(fileName))
  );
}
