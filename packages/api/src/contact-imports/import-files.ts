import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { sendFailedRows } from './failed-rows.ts';
import { createImportPlaces } from './import-places.ts';
import { receiveImport } from './receive-import.ts';

export function createImportFiles(): readonly FileRoute[] {
  const places = createImportPlaces();
  return [
    {
      method: 'POST',
      path: '/api/contacts/imports',
      access: 'contacts:create',
      forKeys: {
        ...{ name: 'contactImports.start', tag: 'Imports', gives: ['application/json'] },
        summary: 'Imports the file that is the body of the request; it is answered once all of it is here',
        givesEarly:
          'The file is here, and the import goes on: ask for it at /contacts/imports/{importId}, by the id of the answer.',
        takes: [
          ...['text/csv', 'application/json'],
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        ],
        query: {
          fileName: 'Under which name it is listed.',
          duplicates: '`skip` or `update` contacts that are here already.',
          insteadOf: 'An import of the same file: contacts that it added stay as they are.',
          dryRun: '`1` says what would come of it, and changes nothing.',
          country: 'Of numbers without a country code, such as `DE`.',
          twofold:
            'Numbers without + that can be of that country and, by their first digits, of another: `international` (unless said) or `home`.',
          mapping:
            'Headings of the file and what they are here, as JSON: `{"Telefon": "phone"}`; or a list in the order of the columns, with null for what is ignored.',
          headings: '`0` says that the first row is a contact already; `mapping` is then a list.',
          sheet: 'Of a workbook; its first without a name.',
          tags: 'Tags for everybody in the file, with a comma between them.',
          agreedWhere: 'States that everybody in the file agreed to get marketing, and where.',
          agreedOn: 'The day on which they did, such as `2026-11-21`.',
          consentStated:
            '`1` states that whoever the file says yes for agreed to get marketing, `every-channel` also of a column that speaks of SMS or mail.',
        },
        headers: { 'Idempotency-Key': 'A text of your own for this import: it happens once.' },
        optionalHeaders: {
          Prefer: '`wait=30` has the answer wait so many seconds for what comes of it, 50 at most.',
        },
      },
      body: { most: 'streamed' },
      answer: (request, context) => receiveImport(request, context, places),
    },
    {
      method: 'GET',
      path: '/api/contacts/imports/:importId/failed-rows',
      access: 'contacts:create',
      forKeys: {
        ...{
          name: 'contactImports.downloadFailedRows',
          tag: 'Imports',
          gives: ['text/csv', 'application/json'],
        },
        summary: 'The rows that could not be imported, with their reasons',
        query: { as: '`codes` gives JSON with the code of each reason in place of its words.' },
      },
      answer: (request, context, parameter) => sendFailedRows(request, context, parameter('importId')),
    },
  ];
}
