import { newId } from '@app/database/new-id';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wakeSnoozed } from '../../src/conversations/wake-snoozed.ts';
import { enqueueCampaignResults } from '../../src/integrations/events/campaign-results.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { quietConnector } from '../integrations/quiet-connector.ts';

let fixture: ApiFixture;
const told: object[] = [];
beforeAll(async () => {
  const kind = (name: string) => ({
    ...{ ...quietConnector, name },
    events: {
      topics: [{ name: 'campaignResults' as const }],
      perSecond: 10,
      withoutAnswer: 'again' as const,
    },
  });
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind('first'), kind('second')]) });
});
afterAll(() => fixture.close());
const query = async (text: string, values: unknown[] = []) =>
  (await fixture.db.systemPool.query(text, values)).rows;
const parts = () => ({
  ...fixture.parts,
  logger: { info() {}, error() {}, warn: (fields: object) => void told.push(fields) },
});

test('a connection whose results cannot be counted keeps no other from hearing of results', async () => {
  const admin = await fixture.as('admin');
  for (const kind of ['first', 'second']) {
    const body = { values: { quietKey: 'key' } };
    const answer = await admin.post(`/api/integrations/${kind}/connect`, body, crypto.randomUUID());
    expect(answer.status).toBe(200);
  }
  const [bad, good] = await query(`SELECT id FROM integrations ORDER BY id`);
  await query(`UPDATE integrations SET cursor = 'what no version writes' WHERE id = $1`, [bad.id]);

  await expect(enqueueCampaignResults(parts())).rejects.toThrow(SyntaxError);
  expect(await query('SELECT cursor FROM integrations WHERE id = $1', [good.id])).toEqual([{ cursor: '{}' }]);
  expect(told).toMatchObject([{ workspaceId: fixture.workspaceId, id: bad.id }]);
});

test('a snoozed conversation that cannot be opened keeps no other asleep', async () => {
  const { workspaceId } = fixture;
  const channelId = await fixture.addChannel();
  const ids = [newId(), newId()] as const;
  for (const [place, id] of ids.entries()) {
    const contactId = newId();
    await query(`INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, 'Ada', $3)`, [
      ...[contactId, workspaceId, `+44770090000${place}`],
    ]);
    await query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, status, snoozed_until)
       VALUES ($1, $2, $3, $4, now(), 'snoozed', now() - interval '1 hour' + $5 * interval '1 minute')`,
      [id, workspaceId, contactId, channelId, place],
    );
  }
  await query(
    `ALTER TABLE conversations ADD CONSTRAINT stays_asleep CHECK (id <> '${ids[0]}' OR status = 'snoozed')`,
  );

  await expect(wakeSnoozed(parts())).rejects.toThrow('23514');
  const statuses = await query('SELECT id, status FROM conversations ORDER BY snoozed_until NULLS LAST');
  expect(statuses).toEqual([
    { id: ids[0], status: 'snoozed' },
    { id: ids[1], status: 'open' },
  ]);
});
