import type { AttentionKind } from '@app/domain/dashboard/attention';
import { roles, type Role } from '@app/domain/auth/permissions';
import { countRetryable } from '@app/delivery/retryable-runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiFixture } from './api-fixture.ts';

type Attention = {
  items: {
    kind: AttentionKind;
    total: number;
    named: { id: string; name: string; code: string | null; failed: number | null }[];
  }[];
};
type Start = { steps: { step: string; isDone: boolean }[]; connection: string; isHidden: boolean };

let api: ApiFixture;
let channelId: string;
let contactId: string;

const sql = (text: string, ...values: unknown[]) =>
  api.db.systemPool.query(text, [api.workspaceId, ...values]);
const attend = async (role: Role) =>
  (await (await (await api.as(role)).get('/api/dashboard/attention')).json<Attention>()).items;
const kindsOf = async (role: Role) => (await attend(role)).map(({ kind }) => kind);
const start = async (role: Role) =>
  (await (await api.as(role)).get('/api/dashboard/getting-started')).json<Start>();

beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

describe('the way to the first campaign', () => {
  test('has the steps that the role may take, each done when it is', async () => {
    expect((await start('admin')).steps.map(({ step, isDone }) => [step, isDone])).toEqual([
      ['number', false],
      ['contacts', false],
      ['template', false],
      ['campaign', false],
    ]);
    expect((await start('manager')).steps.map(({ step }) => step)).toEqual([
      'contacts',
      'template',
      'campaign',
    ]);
    expect((await start('viewer')).steps).toEqual([]);

    channelId = await api.addChannel();
    const created = await (
      await api.as('admin')
    ).post('/api/contacts', { name: 'Ada', phone: '+4915112345678' });
    contactId = (await created.json<{ id: string }>()).id;
    await sql(
      `INSERT INTO templates (id, workspace_id, name, status, components, content) VALUES (gen_random_uuid(), $1, 'hello', 'approved', '[]', 'Hi')`,
    );
    const { steps, connection } = await start('admin');
    expect(steps.filter(({ isDone }) => isDone).map(({ step }) => step)).toEqual([
      'number',
      'contacts',
      'template',
    ]);
    expect(connection).toBe('platform');
  });

  test('in the sample the steps lead through it, and what it was filled with is not done by anybody', async () => {
    const inSample = async (isSample: boolean) =>
      api.db.systemPool.query('UPDATE workspaces SET is_sample = $2 WHERE id = $1', [
        api.workspaceId,
        isSample,
      ]);
    await inSample(true);
    try {
      const message = (direction: string, author: string, at: string) =>
        sql(
          `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, author, provider_message_id, type, payload, occurred_at)
           SELECT gen_random_uuid(), $1, $2, $3, $4, $5, gen_random_uuid()::text, 'text', '{}', created_at + $6::interval
             FROM workspaces WHERE id = $1`,
          ...[channelId, contactId, direction, author, at],
        );
      const done = async (role: Role) =>
        (await start(role)).steps.map(({ step, isDone }) => `${step} ${isDone}`);
      await message('in', 'contact', '-1 hour');
      await message('out', 'person', '-1 hour');
      expect(await done('admin')).toEqual(['phone false', 'reply false', 'campaign false', 'real false']);
      await message('in', 'contact', '1 second');
      expect(await done('admin')).toEqual(['phone true', 'reply false', 'campaign false', 'real false']);
      await message('out', 'person', '2 seconds');
      expect(await done('agent')).toEqual(['phone true', 'reply true', 'campaign false']);
      expect(await done('viewer')).toEqual([]);
    } finally {
      await inSample(false);
    }
  });

  test('is hidden for one person alone, and comes back', async () => {
    const manager = await api.as('manager');
    expect((await manager.put('/api/profile/getting-started', { isHidden: true })).status).toBe(200);
    expect((await start('manager')).isHidden).toBe(true);
    expect((await start('admin')).isHidden).toBe(false);
    await manager.put('/api/profile/getting-started', { isHidden: false });
    expect((await start('manager')).isHidden).toBe(false);
  });

  test('goes when the first campaign was sent', async () => {
    await sql(`UPDATE contacts SET window_expires_at = now() + interval '1 day' WHERE workspace_id = $1`);
    const campaign = await (
      await api.as('admin')
    ).post('/api/campaigns', {
      name: 'First',
      message: { customMessage: 'Hi' },
      audience: { contactIds: [contactId] },
    });
    const { id } = await campaign.json<{ id: string }>();
    expect((await start('admin')).steps).toHaveLength(4);
    const admin = await api.as('admin');
    expect((await admin.post(`/api/campaigns/${id}/start`, { takeBackSeconds: 10 })).status).toBe(200);
    // It may still be taken back.
    expect((await start('admin')).steps).toHaveLength(4);
    expect((await admin.post(`/api/campaigns/${id}/take-back`)).status).toBe(200);
    expect((await admin.post(`/api/campaigns/${id}/start`)).status).toBe(200);
    expect((await start('admin')).steps).toEqual([]);
    await sql(`UPDATE delivery_runs SET state = 'completed', completed_at = now() WHERE workspace_id = $1`);
  });
});

/** What makes it wait, what puts it right, and who is told. */
const cases: {
  kind: AttentionKind;
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
  told: readonly Role[];
  named?: object;
}[] = [
  {
    kind: 'number_stopped',
    begin: () =>
      sql(
        `UPDATE channels SET stopped_code = '131031', stopped_reason = 'locked', stopped_for = 'everything' WHERE workspace_id = $1`,
      ),
    end: () =>
      sql(
        'UPDATE channels SET stopped_code = NULL, stopped_reason = NULL, stopped_for = NULL WHERE workspace_id = $1',
      ),
    told: ['admin', 'manager'],
    named: { code: '131031' },
  },
  {
    kind: 'number_disconnected',
    begin: () => sql('UPDATE channels SET is_connected = false WHERE workspace_id = $1'),
    end: () => sql('UPDATE channels SET is_connected = true WHERE workspace_id = $1'),
    told: ['admin', 'manager'],
  },
  {
    kind: 'number_trouble',
    begin: () =>
      sql(`UPDATE channels SET trouble = 'token_expired', trouble_at = now() WHERE workspace_id = $1`),
    end: () => sql('UPDATE channels SET trouble = NULL, trouble_at = NULL WHERE workspace_id = $1'),
    told: ['admin', 'manager'],
    named: { code: 'token_expired' },
  },
  ...['failures', 'budget', 'number_quality'].map((reason) => ({
    kind: 'campaign_paused' as const,
    begin: () =>
      sql(
        `UPDATE delivery_runs SET state = 'paused', completed_at = NULL, pause_reason = $2 WHERE workspace_id = $1`,
        reason,
      ),
    end: () =>
      sql(`UPDATE delivery_runs SET state = 'paused', pause_reason = 'operator' WHERE workspace_id = $1`),
    told: ['admin', 'manager'] as const,
    named: { name: 'First', code: reason },
  })),
  {
    kind: 'campaign_failed',
    begin: async () => {
      await sql(
        `UPDATE delivery_runs SET state = 'completed', completed_at = now(), pause_reason = NULL, refused = 1 WHERE workspace_id = $1`,
      );
      // Nobody waits for what fails again however often it is sent.
      await fail('131026');
      expect(await kindsOf('admin')).toEqual([]);
      await fail('131000');
    },
    end: () =>
      sql(
        `UPDATE delivery_runs SET completed_at = now() - interval '7 days 1 minute' WHERE workspace_id = $1`,
      ),
    told: ['admin', 'manager', 'agent'],
    named: { name: 'First', failed: 1 },
  },
  {
    kind: 'chats_unassigned',
    begin: () =>
      sql(
        `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, unread, last_activity_at)
         VALUES (gen_random_uuid(), $1, $2, $3, 2, now())`,
        contactId,
        channelId,
      ),
    end: () => sql('UPDATE conversations SET unread = 0 WHERE workspace_id = $1'),
    told: ['admin', 'manager', 'agent'],
  },
  {
    kind: 'chats_mine',
    begin: async () =>
      sql(
        'UPDATE conversations SET unread = 1, assignee_id = $2 WHERE workspace_id = $1',
        await api.userId('agent@acme.test'),
      ),
    end: () => sql('UPDATE conversations SET is_archived = true WHERE workspace_id = $1'),
    told: ['agent'],
  },
  {
    kind: 'person_waiting',
    begin: async () =>
      sql(
        `UPDATE memberships SET is_active = false, requested_role = 'viewer' WHERE workspace_id = $1 AND user_id = $2`,
        await api.userId('viewer@acme.test'),
      ),
    end: () =>
      sql(
        `UPDATE memberships SET is_active = true, requested_role = NULL WHERE workspace_id = $1 AND NOT is_active`,
      ),
    told: ['admin'],
  },
  {
    kind: 'template_rejected',
    begin: () => sql(`UPDATE templates SET status = 'rejected' WHERE workspace_id = $1`),
    end: () => sql(`UPDATE templates SET status = 'draft' WHERE workspace_id = $1`),
    told: ['admin', 'manager'],
    named: { name: 'hello' },
  },
  {
    kind: 'template_rejected',
    begin: () =>
      sql(`UPDATE templates SET status = 'approved', platform_status = 'DISABLED' WHERE workspace_id = $1`),
    end: () => sql(`UPDATE templates SET platform_status = 'APPROVED' WHERE workspace_id = $1`),
    told: ['admin', 'manager'],
  },
  {
    kind: 'template_paused',
    begin: () => sql(`UPDATE templates SET platform_status = 'PAUSED' WHERE workspace_id = $1`),
    end: () => sql('DELETE FROM templates WHERE workspace_id = $1'),
    told: ['admin', 'manager'],
  },
];

/** How the only recipient of the first campaign failed, and what the product counts of it. */
async function fail(code: string): Promise<void> {
  await sql(
    `UPDATE delivery_recipients SET state = 3, error_code = $2, failed_at = now() WHERE workspace_id = $1`,
    code,
  );
  await sql('UPDATE delivery_runs SET retryable_of = 0 WHERE workspace_id = $1');
  await countRetryable(api.db.systemPool);
}

describe('what waits for somebody', () => {
  test('is nothing at first', async () => {
    for (const role of roles) expect(await attend(role)).toEqual([]);
  });

  longTest.each(cases)('$kind: told to whom it concerns, until it is put right', async (one) => {
    await one.begin();
    for (const role of roles.filter((each) => one.kind !== 'person_waiting' || each !== 'viewer'))
      expect(await kindsOf(role), role).toEqual(one.told.includes(role) ? [one.kind] : []);
    const [first] = await attend(one.told[0]!);
    expect(first).toMatchObject({ total: 1, named: one.named ? [one.named] : expect.any(Array) });
    await one.end();
    for (const role of roles) expect(await kindsOf(role), role).toEqual([]);
  });

  test('stays in its workspace', async () => {
    await sql(
      `UPDATE channels SET stopped_code = '131031', stopped_for = 'everything' WHERE workspace_id = $1`,
    );
    expect(await kindsOf('admin')).toEqual(['number_stopped']);
    const other = await (await api.asOther()).get('/api/dashboard/attention');
    expect((await other.json<Attention>()).items).toEqual([]);
  });

  test('a campaign that was deleted was sent all the same', async () => {
    await sql('DELETE FROM campaigns WHERE workspace_id = $1');
    expect((await start('admin')).steps).toEqual([]);
  });

  test('counts no further than a hundred and names the first', async () => {
    await sql(
      `INSERT INTO templates (id, workspace_id, name, status, components, content)
       SELECT gen_random_uuid(), $1, 'promo_' || n, 'rejected', '[]', 'Hi' FROM generate_series(1, 120) n`,
    );
    const [, templates] = await attend('manager');
    expect(templates).toMatchObject({ kind: 'template_rejected', total: 100 });
    expect(templates?.named).toHaveLength(3);
  });
});
