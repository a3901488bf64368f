/** Addresses beside the contract: they carry files, streams or events instead of JSON. Who may call them: `access/needs/`. */
export const plainRoutes: Record<string, { path: string; init?: RequestInit }> = {
  'POST /api/contacts/imports': {
    path: '/api/contacts/imports',
    init: { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } },
  },
  'POST /api/data/imports': {
    path: '/api/data/imports?prefers=file',
    init: { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } },
  },
  'POST /api/data/replacements': {
    path: '/api/data/replacements?dryRun=1',
    init: { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } },
  },
  'GET /api/data/archives/:archiveId/file': { path: `/api/data/archives/${crypto.randomUUID()}/file` },
  'POST /api/data/archive-readings': {
    path: `/api/data/archive-readings?readingId=${crypto.randomUUID()}`,
    init: { method: 'POST', body: 'x', headers: { 'content-type': 'application/octet-stream' } },
  },
  'GET /api/contacts/imports/:importId/failed-rows': {
    path: `/api/contacts/imports/${crypto.randomUUID()}/failed-rows`,
  },
  'GET /api/operations/:operationId/file': {
    path: `/api/operations/${crypto.randomUUID()}/file`,
  },
  'GET /api/contacts/export': { path: '/api/contacts/export?format=csv' },
  'POST /api/contacts/export': {
    path: '/api/contacts/export',
    init: { method: 'POST', body: '{"format":"csv"}', headers: { 'content-type': 'application/json' } },
  },
  'GET /api/contacts/:contactId/data': {
    path: `/api/contacts/${crypto.randomUUID()}/data`,
  },
  'GET /api/campaigns/:campaignId/recipients/export': {
    path: `/api/campaigns/${crypto.randomUUID()}/recipients/export`,
  },
  'PATCH /api/uploads/:uploadId': {
    path: `/api/uploads/${crypto.randomUUID()}`,
    init: { method: 'PATCH', body: 'x', headers: { 'upload-offset': '0' } },
  },
  'GET /api/media/:mediaId/content': {
    path: `/api/media/${crypto.randomUUID()}/content`,
  },
  'GET /api/conversations/files/:fileId': { path: `/api/conversations/files/${crypto.randomUUID()}` },
  'GET /api/conversations/files/:fileId/thumbnail': {
    path: `/api/conversations/files/${crypto.randomUUID()}/thumbnail`,
  },
  'POST /api/bot/knowledge/files/:knowledgeId': {
    path: `/api/bot/knowledge/files/${crypto.randomUUID()}?name=a.txt`,
    init: { method: 'POST', body: 'x' },
  },
  'POST /api/conversations/files/:fileId': {
    path: `/api/conversations/files/${crypto.randomUUID()}`,
    init: { method: 'POST', body: 'x' },
  },
  'POST /api/conversations/files/:fileId/thumbnail': {
    path: `/api/conversations/files/${crypto.randomUUID()}/thumbnail`,
    init: { method: 'POST', body: 'x' },
  },
  'POST /api/profile/avatar': {
    path: '/api/profile/avatar',
    init: { method: 'POST', body: 'no picture' },
  },
  'POST /api/settings/logo': {
    path: '/api/settings/logo',
    init: { method: 'POST', body: 'no picture' },
  },
  'GET /api/logos/:logoId': { path: `/api/logos/${crypto.randomUUID()}` },
  'GET /api/avatars/:userId': { path: `/api/avatars/${crypto.randomUUID()}` },
  'GET /api/events': { path: '/api/events' },
  'GET /api/openapi.json': { path: '/api/openapi.json' },
  'GET /api/docs': { path: '/api/docs' },
  'GET /api/docs/style.css': { path: '/api/docs/style.css' },
  'GET /api/profile/unsubscribe/:kind/:token': { path: '/api/profile/unsubscribe/daily_summary/a-guess' },
  'POST /api/profile/unsubscribe/:kind/:token': {
    path: '/api/profile/unsubscribe/daily_summary/a-guess',
    init: { method: 'POST', body: 'x' },
  },
  'GET /healthz': { path: '/healthz' },
  'GET /readyz': { path: '/readyz' },
};
