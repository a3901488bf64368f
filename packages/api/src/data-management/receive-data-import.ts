import { describeFileProblem } from '@app/domain/contact-imports/import-problems';
import { importPreferences } from '@app/domain/data-management/data-import';
import { isUuid } from '@app/domain/uuid';
import { beginUpload, MOST_WAITING } from '../contact-imports/begin-upload.ts';
import { createImportPlaces } from '../contact-imports/import-places.ts';
import { keepUpload, MOST_BYTES } from '../contact-imports/keep-upload.ts';
import { probeStart } from '../contact-imports/probe-file.ts';
import type { FileRoute } from '../platform/rim/file-routes.ts';
import { refuse } from '../platform/rim/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findDataImport, openDataImport } from './data-imports.ts';
import { readDataFile } from './data-rows.ts';
import { dataImport } from './import-act.ts';

/**
 * `POST /api/data/imports?importId=&fileName=&prefers=file|here&dryRun=1`: the body is the file. The caller chooses the id: a second request of one
 * does nothing. Once the file is here it is answered (202), and the import goes on whatever becomes of the caller or of this process.
 */
export function createDataFiles(): readonly FileRoute[] {
  const places = createImportPlaces();
  return [
    {
      method: 'POST',
      path: '/api/data/imports',
      access: [
        ...(['settings:manage', 'contacts:create', 'contacts:update'] as const),
        ...(['templates:create', 'templates:update', 'campaigns:create'] as const),
      ],
      body: { most: 'streamed' },
      async answer(request, context) {
        const leave = places.take(context.caller.workspaceId);
        if (!leave) return refuse('contact_import_busy');
        try {
          return await receive(request, context);
        } finally {
          leave();
        }
      },
    },
  ];
}

async function receive(request: Request, context: SignedInContext): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  const id = query.get('importId')?.toLowerCase() ?? '';
  const fileName = (query.get('fileName') ?? '').slice(0, 255);
  const prefers = importPreferences.find((one) => one === query.get('prefers'));
  if (!isUuid(id)) return refuse('invalid_input', { message: 'importId: Invalid UUID' });
  if (!prefers) return refuse('invalid_input', { message: 'prefers: file or here' });
  const choices = { prefers, isDryRun: query.get('dryRun') === '1' };
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!request.body) return refuseFile({ code: 'empty', values: {} });
  if (length > MOST_BYTES) return refuseFile({ code: 'too_large', values: { most: MOST_BYTES } });
  const upload = await beginUpload(context, dataImport, {
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
  await keepUpload(context, dataImport, upload, { body: request.body, probe });
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
