import type { Access } from '@app/contracts/endpoint';

/** Addresses beside the contract: they carry files, streams or events instead of JSON. */
export const plainRoutes: Record<string, { access: Access; path: string; init?: RequestInit }> = {
  'POST /api/contacts/imports': {
    access: 'contacts:create',
    path: '/api/contacts/imports',
    init: { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } },
  },
  'GET /api/contacts/imports/:importId/failed-rows': {
    access: 'contacts:create',
    path: `/api/contacts/imports/${crypto.randomUUID()}/failed-rows`,
  },
  'GET /api/long-acts/:actId/file': {
    access: 'signed-in',
    path: `/api/long-acts/${crypto.randomUUID()}/file`,
  },
  'GET /api/contacts/export': { access: 'contacts:read', path: '/api/contacts/export?format=csv' },
  'POST /api/contacts/export': {
    access: 'contacts:read',
    path: '/api/contacts/export',
    init: { method: 'POST', body: '{"format":"csv"}', headers: { 'content-type': 'application/json' } },
  },
  'GET /api/contacts/:contactId/data': {
    access: ['contacts:read', 'messages:read', 'campaigns:read'],
    path: `/api/contacts/${crypto.randomUUID()}/data`,
  },
  'GET /api/campaigns/:campaignId/recipients/export': {
    access: ['campaigns:read', 'contacts:read'],
    path: `/api/campaigns/${crypto.randomUUID()}/recipients/export`,
  },
  'PATCH /api/uploads/:uploadId': {
    access: 'messages:create',
    path: `/api/uploads/${crypto.randomUUID()}`,
    init: { method: 'PATCH', body: 'x', headers: { 'upload-offset': '0' } },
  },
  'GET /api/media/:mediaId/content': {
    access: 'templates:read',
    path: `/api/media/${crypto.randomUUID()}/content`,
  },
  'POST /api/profile/avatar': {
    access: 'signed-in',
    path: '/api/profile/avatar',
    init: { method: 'POST', body: 'no picture' },
  },
  'GET /api/avatars/:userId': { access: 'signed-in', path: `/api/avatars/${crypto.randomUUID()}` },
  'GET /api/events': { access: 'signed-in', path: '/api/events' },
  'GET /api/openapi.json': { access: 'public', path: '/api/openapi.json' },
  'GET /healthz': { access: 'public', path: '/healthz' },
  'GET /readyz': { access: 'public', path: '/readyz' },
};
