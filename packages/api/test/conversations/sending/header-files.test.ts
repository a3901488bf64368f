import { afterAll, expect, test } from 'vitest';
import { createTestSecretBox, openApiFixture } from '../../api-fixture.ts';
import { arriveWith, said } from '../../arriving-events.ts';
import { createMemoryMediaStore } from '../../memory-media-store.ts';
import { createMemoryTemplatePlatform } from '../../memory-template-platform.ts';

const secrets = await createTestSecretBox();
const mediaStore = createMemoryMediaStore();
const templatePlatform = createMemoryTemplatePlatform();
const api = await openApiFixture({ secrets, mediaStore, templatePlatform });
const admin = await api.as('admin');
const { systemPool } = api.db;
afterAll(() => api.close());

test('a template with a file leaves through each number with the id that the file has there', async () => {
  const first = await api.addChannel();
  await systemPool.query(`UPDATE channels SET address = 'another'`);
  const second = await api.addChannel();
  const [mediaId, key] = [crypto.randomUUID(), 'files/offer'];
  await mediaStore.put(key, new Uint8Array(4));
  await systemPool.query(
    `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
     VALUES ($1, $2, 'offer.png', 'image', 'image/png', 4, '', $3)`,
    [mediaId, api.workspaceId, key],
  );
  const header = { type: 'header', format: 'image', media: { id: mediaId, name: 'offer.png', size: 4 } };
  const components = [header, { type: 'body', text: 'Have a look' }];
  const template = await (
    await admin.post('/api/templates', { name: 'Offer', category: 'promotion', components })
  ).json<{ id: string; version: number }>();
  const { version } = template;
  const submitted = await admin.post(`/api/templates/${template.id}/submit`, { version });
  expect(await submitted.json()).toMatchObject({ id: template.id });
  for (const there of templatePlatform.templates.values()) there.status = 'APPROVED';
  await systemPool.query(`UPDATE templates SET status = 'approved'`);
  expect((await admin.post('/api/templates/sync', {})).status).toBe(200);
  const copies = await systemPool.query<{ channel_id: string; platform_id: string }>(
    'SELECT channel_id, platform_id FROM media_copies',
  );
  const idAt = (channelId: string) => copies.rows.find((row) => row.channel_id === channelId)?.platform_id;
  expect(idAt(second)).not.toBe(idAt(first));

  for (const [n, channelId] of [first, second].entries()) {
    const arrive = arriveWith(api, { secrets, channelId });
    await arrive(said({ phone: `+1415555267${n}` }, 'Hello', {}));
    const { items } = await (
      await admin.get(`/api/conversations?channelId=${channelId}`)
    ).json<{ items: { id: string }[] }>();
    const message = { templateId: template.id, variables: {} };
    const sent = await admin.post(`/api/conversations/${items[0]!.id}/messages`, { message });
    expect(sent.status).toBe(200);
    const { content } = await sent.json<{ content: object }>();
    expect(JSON.stringify(content)).toContain(idAt(channelId));
  }
});
