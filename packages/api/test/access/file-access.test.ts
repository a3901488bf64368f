import { operationKindNames, rulesOf } from '@app/domain/operations/operation-kinds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles } from '../../src/features.ts';
import { openApiFixture, PASSWORD, readErrorBody, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

/** Why a download may do without a recent re-authentication. Every other one asks for it, so that a new one is decided upon. */
const WITHOUT_PROOF: Record<string, string> = {
  'GET /api/events': 'a stream of ids and figures',
  'GET /api/avatars/:userId': 'a picture of a member',
  'GET /api/logos/:logoId': 'the logo of the workspace',
  'GET /api/media/:mediaId/content': 'one file of a template',
  'GET /api/conversations/files/:fileId': 'one file of a chat',
  'GET /api/conversations/files/:fileId/thumbnail': 'one picture of a chat',
  'GET /api/contacts/imports/:importId/failed-rows': 'rows of a file that the caller brought',
  'GET /api/contacts/:contactId/data': 'one person, on request of that person',
  'GET /api/campaigns/:campaignId/recipients/export': 'open to API keys, which have no password to prove',
  'GET /api/operations/:operationId/file': 'asks by the kind of the operation, tested below',
};

test('every download asks for a recent proof, or says here why not', () => {
  const downloads = listFiles({ ...api.parts, readSession: async () => null }).filter(
    ({ method, body }) => method === 'GET' || !body?.isFile,
  );
  const open = downloads
    .filter(({ method, needsReauthentication }) => method === 'GET' && !needsReauthentication)
    .map(({ method, path }) => `${method} ${path}`);
  expect(open.toSorted()).toEqual(Object.keys(WITHOUT_PROOF).toSorted());
});

test('the file of an operation asks for a proof where its beginning does', () => {
  const asking = operationKindNames.filter((kind) => rulesOf(kind).fileNeedsProof);
  expect(asking).toEqual(['contact-export', 'data-export', 'workspace-archive']);
  expect(asking.every((kind) => rulesOf(kind).makesFile)).toBe(true);
});

describe('an export of contacts', () => {
  const begin = (caller: ApiCaller) =>
    caller.post('/api/contacts/exports', { format: 'csv', choice: { filter: {} } });
  const fileOf = (caller: ApiCaller, operationId: string) =>
    caller.get(`/api/operations/${operationId}/file`);

  test('is not for a viewer, at no address, not even with the id of somebody else’s', async () => {
    const admin = await api.as('admin');
    const viewer = await api.as('viewer');
    const { id } = await (await begin(admin)).json<{ id: string }>();
    const contact = await admin.post('/api/contacts', { name: 'Ann', phone: '+447911000123' });
    const { id: contactId } = await contact.json<{ id: string }>();
    expect((await fileOf(viewer, id)).status).toBe(404);
    expect((await begin(viewer)).status).toBe(403);
    expect((await viewer.get('/api/contacts/export?format=csv')).status).toBe(403);
    expect((await viewer.get(`/api/contacts/${contactId}/data`)).status).toBe(403);
    expect((await fileOf(admin, id)).status).toBe(200);
  });

  test('is for a viewer whose role allows it', async () => {
    const admin = await api.as('admin');
    const permissions = ['contacts:read', 'contacts:export'];
    const set = (wanted: string[] | null, version: number) =>
      admin.put('/api/role-permissions', { version, changes: [{ role: 'viewer', permissions: wanted }] });
    expect((await set(permissions, 1)).status).toBe(200);
    expect((await (await api.as('viewer')).get('/api/contacts/export?format=csv')).status).toBe(200);
    expect((await set(null, 2)).status).toBe(200);
  });

  test('asks again for the password when its file is fetched later', async () => {
    const { caller: admin } = await addCaller(api, 'admin');
    const { id } = await (await begin(admin)).json<{ id: string }>();
    expect((await fileOf(admin, id)).status).toBe(200);
    api.advance(20 * 60_000);
    expect((await readErrorBody(await fileOf(admin, id))).code).toBe('password_needed');
    await admin.post('/api/profile/confirm-password', { password: PASSWORD });
    expect((await fileOf(admin, id)).status).toBe(200);
  });
});
