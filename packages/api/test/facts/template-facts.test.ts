import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { applyTemplateEvent } from '../../src/templates/apply-template-event.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

test('acts on a template and what the platform says of it are told once, each in the name of who did it', async () => {
  const admin = await api.as('admin');
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const components = [{ type: 'body', text: 'Hello' }];
  const made = { name: 'Hi', category: 'welcome', language: 'en', status: 'draft', components };
  const answer = await admin.post('/api/templates', made);
  expect(answer.status).toBeLessThan(300);
  const { id } = await answer.json<{ id: string }>();
  await api.db.systemPool.query(`UPDATE templates SET platform_template_id = 'x1' WHERE id = $1`, [id]);
  const parts = { db: api.db, facts: api.facts, clock: () => new Date(), logger: console };
  const event = {
    ...{
      type: 'template_quality_changed',
      dedupKey: 'k',
      occurredAt: 0,
      account: '1',
      address: null,
      raw: {},
    },
    ...{ templateId: 'x1', templateName: 'hi', language: 'en', quality: 'GREEN', previousQuality: null },
  } as unknown as Parameters<typeof applyTemplateEvent>[1]; // one of its kinds
  await changeAsSystem(parts, 'webhooks', api.workspaceId, (scope) => applyTemplateEvent(scope, event));
  await admin.delete(`/api/templates/${id}`);
  const { rows } = await api.db.systemPool.query(
    `SELECT type, subject_id = $1 AS is_its, actor->>'name' AS name, "values"->>'quality' AS quality FROM events
      WHERE subject_kind = 'template' ORDER BY id`,
    [id],
  );
  expect(rows).toEqual([
    { type: 'template.created', is_its: true, name: 'admin Acme', quality: null },
    { type: 'template.platform_changed', is_its: true, name: 'webhooks', quality: 'GREEN' },
    { type: 'template.deleted', is_its: true, name: 'admin Acme', quality: null },
  ]);
  await api.facts.catchUp();
  const heard = (await api.liveEvents.readSince(api.workspaceId, last))?.map(({ topic }) => topic);
  expect(heard).toContain('templates');
  expect(heard).toContain('activities');
});
