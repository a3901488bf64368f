import type { FileRoute } from '../platform/rim/file-routes.ts';
import { createImportPlaces } from './import-places.ts';
import { receiveImport } from './receive-import.ts';

export function createImportFiles(): readonly FileRoute[] {
  const places = createImportPlaces();
  return [
    {
      method: 'POST',
      path: '/api/contacts/imports',
      access: 'contacts:create',
      body: { most: 'streamed' },
      answer: (request, context) => receiveImport(request, context, places),
    },
  ];
}
