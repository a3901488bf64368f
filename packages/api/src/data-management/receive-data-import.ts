import { describeFileProblem } from '@app/domain/contact-imports/import-problems';
import { importPreferences, type ImportRules } from '@app/domain/data-management/data-import';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { isUuid } from '@app/domain/uuid';
import { beginUpload, MOST_WAITING } from '../contact-imports/begin-upload.ts';
import { createImportPlaces } from '../contact-imports/import-places.ts';
import { keepUpload, MOST_BYTES } from '../contact-imports/keep-upload.ts';
import { probeStart } from '../contact-imports/probe-file.ts';
import type { OperationKind } from '../platform/operations/operation-kind.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { readSwitch } from '../platform/http-edge/read-switch.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findDataImport, openDataImport } from './data-imports.ts';
import { readDataFile } from './data-rows.ts';
import { dataImport, dataReplacement } from './import-operation.ts';
import { findBusy } from './archive-import/find-busy.ts';
import { summarize } from './summarize-data.ts';

/**
 * `POST /api/data/imports?importId=&fileName=&prefers=file|here&dryRun=1`: the body is the file. The caller chooses the id: a second request of one
 * does nothing. Once the file is here it is answered (202), and the import goes on whatever becomes of the caller or of this process.
 */
export function createDataFiles(): readonly FileRoute[] {
  const places = createImportPlaces();
  const answerBy = (read: typeof readReplacement) => async (request: Request, context: SignedInContext) => {
    const leave = places.take(context.caller.workspaceId);
    if (!leave) return refuse('contact_import_busy');
    try {
      const { searchParams: query } = new URL(request.url);
      const wanted = await read(query, context);
      return wanted instanceof Response ? wanted : await receive(request, context, wanted);
    } finally {
      leave();
    }
  };
  return [
    {
      method: 'POST',
      path: '/api/data/imports',
      access: [...operationKinds['data-import'].access],
      body: { most: 'streamed' },
      answer: answerBy(readMerge),
    },
    {
      method: 'POST',
      path: '/api/data/replacements',
      access: [...operationKinds['data-replacement'].access],
      needsReauthentication: true,
      body: { most: 'streamed' },
      answer: answerBy(readReplacement),
    },
  ];
}

type Wanted = { kind: OperationKind; choices: ImportRules };

const refuseSwitch = () => refuse('invalid_input', { message: 'dryRun: 1 or 0' });

async function readMerge(query: URLSearchParams): Promise<Wanted | Response> {
  const prefers = importPreferences.find((one) => one === query.get('prefers'));
  if (!prefers) return refuse('invalid_input', { message: 'prefers: file or here' });
  const isDryRun = readSwitch(query, 'dryRun');
  if (isDryRun === null) return refuseSwitch();
  return { kind: dataImport, choices: { prefers, replaces: false, isDryRun } };
}

/** `POST /api/data/replacements?importId=&fileName=&name=&dryRun=1`: the file takes the place of what is here, once the name of the business was typed. */
async function readReplacement(query: URLSearchParams, context: SignedInContext): Promise<Wanted | Response> {
  const isDryRun = readSwitch(query, 'dryRun');
  if (isDryRun === null) return refuseSwitch();
  const wanted: Wanted = { kind: dataReplacement, choices: { prefers: 'file', replaces: true, isDryRun } };
  if (isDryRun) return wanted;
  return context.read(async (scope) => {
    const { name } = await summarize(scope);
    if (query.get('name')?.trim() !== name) return refuse('data_name_different');
    const busy = await findBusy(scope, query.get('importId')?.toLowerCase());
    return busy ? refuse(busy) : wanted;
  });
}

async function receive(
  request: Request,
  context: SignedInContext,
  { kind, choices }: Wanted,
): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  const id = query.get('importId')?.toLowerCase() ?? '';
  const fileName = (query.get('fileName') ?? '').slice(0, 255).toWellFormed();
  if (!isUuid(id)) return refuse('invalid_input', { message: 'importId: Invalid UUID' });
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!request.body) return refuseFile({ code: 'empty', values: {} });
  if (length > MOST_BYTES) return refuseFile({ code: 'too_large', values: { most: MOST_BYTES } });
  const upload = await beginUpload(context, kind, {
    ...{
      importId: id,
      fileName,
      choices,
      length: Number.isSafeInteger(length) ? length : null,
    },
    onBegun: (scope) => openDataImport(scope, { id, fileName, ...choices }),
  });
  if (upload === 'contact_import_begun') return refuse(upload, { details: { importId: id } });
  if (upload === 'contact_imports_waiting')
    return refuse(upload, { details: { values: { most: MOST_WAITING } } });
  const probe = probeStart(async (file) => void (await readDataFile(file.read())));
  await keepUpload(context, kind, upload, { body: request.body, probe });
  const found = await context.read((scope) => findDataImport(scope, id));
  if (!found || found.state === 'failed')
    return refuseFile(found?.problem ?? { code: 'unknown', values: {} });
  return Response.json(found, { status: 202 });
}

function refuseFile(problem: { code: string; values: Record<string, string | number> }): Response {
  return refuse('contact_import_failed', {
    message: describeFileProblem(problem),
    details: { values: { ...problem.values, problem: problem.code } },
  });
}
