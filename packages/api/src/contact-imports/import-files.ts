import type { FileRoute } from '../platform/rim/file-routes.ts';
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
      forKeys: true,
      body: { most: 'streamed' },
      answer: (request, context) => receiveImport(request, context, places),
    },
    {
      method: 'GET',
      path: '/api/contacts/imports/:importId/failed-rows',
      access: 'contacts:create',
      forKeys: true,
      answer: (_, context, parameter) => sendFailedRows(parameter('importId'), context),
    },
  ];
}
