import type { AccountVerdict } from '@app/domain/channels/account-verdict';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { newId } from '@app/database/new-id';
import { beforeEach, describe, expect, test } from 'vitest';
import { keepProof } from '../../src/channels/check-connection.ts';
import { enqueueNotificationMails } from '../../src/notifications/enqueue-mails.ts';
import { tellStops } from '../../src/notifications/tell-stops.ts';
import { changeAcrossWorkspaces } from '../../src/platform/system-work.ts';
import type { ApiCaller } from '../api-fixture.ts';
import { openArrivals } from '../arrivals.ts';
import { startCampaign } from '../campaigns/campaign-scenes.ts';

const { admin, api, arrive, query } = await openArrivals();
const channelId = (await query<{ id: string }>('SELECT id FROM channels'))[0]!.id;
const [agent, manager] = [await api.as('agent'), await api.as('manager')];

type Item = { kind: string; subject: string | null; values: Record<string, string> };
const heard = async (caller: ApiCaller = admin) =>
  (await (await caller.get('/api/notifications')).json<{ items: Item[] }>()).items.map(
    ({ kind, subject, values }) => ({ kind, subject, ...values }),
  );
const emit = async (fact: NewFact) => {
  await changeAcrossWorkspaces(api.parts, 'sign-in', ({ scopeOf }) => scopeOf(api.workspaceId).emit(fact));
  await api.facts.catchUp();
};
beforeEach(async () => {
  await query('DELETE FROM campaigns');
  await query('DELETE FROM delivery_runs');
  await query(
    `UPDATE channels SET display_name = '+1 555 0100', account_name = 'Acme', trouble = NULL, trouble_detail = NULL, trouble_at = NULL, stopped_code = NULL, stopped_reason = NULL,
       stopped_for = NULL, stopped_at = NULL, resumed_at = NULL`,
  );
  await tellStops(api.parts);
  await api.facts.catchUp();
  await query('DELETE FROM notifications');
});

describe('trouble that a check finds', () => {
  const check = async (problem: 'token_expired' | null, detail: string | null = null) => {
    const [channel] = await query('SELECT *, workspace_id AS "workspaceId" FROM channels');
    const field = { field: 'accessToken', detail, problem };
    const fields = [{ ...field, state: problem ? ('wrong' as const) : ('right' as const) }];
    await keepProof(api.parts, channel, { fields, endsAt: null });
    await api.facts.catchUp();
  };

  test('is told once, to those who can mend it, and once more when it comes again', async () => {
    await check('token_expired');
    await check('token_expired');
    await check('token_expired', 'in other words');
    const told = {
      kind: 'connection_problem',
      subject: channelId,
      name: '+1 555 0100',
      problem: 'token_expired',
    };
    expect(await heard()).toEqual([told]);
    expect([await heard(agent), await heard(await api.as('viewer'))]).toEqual([[], []]);
    await check(null);
    expect(await heard()).toEqual([told]);
    await check('token_expired');
    expect(await heard()).toEqual([told, told]);
  });

  test('of a number whose stop is told of is no second news', async () => {
    await query(`UPDATE channels SET stopped_code = '190', stopped_for = 'everything'`);
    await tellStops(api.parts);
    await check('token_expired');
    expect((await heard()).map(({ kind }) => kind)).toEqual(['connection_trouble']);
  });

  test('goes by mail in the words of its reader', async () => {
    await query(`UPDATE users SET language = 'de' WHERE email = 'admin@acme.test'`);
    await check('token_expired');
    api.advance(3 * 60_000);
    await enqueueNotificationMails(api.parts);
    await expect
      .poll(() => api.mails.map(({ subject }) => subject))
      .toContain('Die Verbindung von +1 555 0100 braucht Aufmerksamkeit: ihr Zugriffstoken ist abgelaufen');
    await query(`UPDATE users SET language = NULL`);
  });
});

test.each([
  ['green', 'red', null, 'available', 'red'],
  ['green', 'yellow', null, null, 'yellow'],
  ['red', 'yellow', 'available', 'available', undefined],
  ['green', 'red', 'available', 'blocked', 'blocked'],
  ['red', 'red', 'available', 'limited', 'limited'],
  ['red', 'red', 'blocked', 'available', undefined],
] as const)(
  'a number rated %s and then %s, of health %s and then %s, is news: %s',
  async (qualityBefore, quality, healthBefore, health, found) => {
    const values = { name: '+1 555 0100', qualityBefore, quality, healthBefore, health };
    await emit({ type: 'channel.rated', subject: channelId, values });
    const told = (await heard(manager)).map((one) => ({ ...one }));
    expect(told).toEqual(
      found ? [{ kind: 'number_rated', subject: channelId, name: '+1 555 0100', found }] : [],
    );
  },
);

test.each([
  ['PAUSED', 'APPROVED', 'pending', 'paused'],
  ['DISABLED', 'PAUSED', 'rejected', 'disabled'],
  ['PAUSED', 'PAUSED', 'pending', null],
  ['APPROVED', 'PAUSED', 'approved', null],
] as const)(
  'a template that is %s and was %s is told as halted: %s',
  async (platformStatus, platformStatusBefore, status, halt) => {
    const subject = newId();
    const values = { name: 'welcome', status, platformStatus, platformStatusBefore };
    await emit({
      ...{ type: 'template.platform_changed', subject },
      values: { ...values, category: null, quality: null },
    });
    expect(await heard()).toEqual(halt ? [{ kind: 'template_halted', subject, name: 'welcome', halt }] : []);
  },
);

describe('what the platform decides about the account', () => {
  const judge = async (
    verdict: AccountVerdict,
    { account = '2', occurredAt = Date.now() }: { account?: string; occurredAt?: number } = {},
  ) => {
    const event: InboundEvent = {
      ...{ type: 'account_event', field: 'account_update', event: '', severity: 'critical', verdict },
      ...{
        dedupKey: newId(),
        occurredAt,
        account,
        address: null,
        raw: {},
        about: 'account',
        description: null,
      },
    };
    await arrive(event);
    await arrive(event);
    await tellStops(api.parts);
    await api.facts.catchUp();
  };
  const start = async () => {
    const contactId = newId();
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at) VALUES ($1, $2, 'Ann', '+447700900201', now() + interval '9 hours')`,
      [contactId, api.workspaceId],
    );
    return startCampaign(admin, { audience: { contactIds: [contactId] } });
  };
  const stopped = async () =>
    (await query('SELECT stopped_code AS code, stopped_for AS blocks FROM channels'))[0];
  const campaign = async (id: string) =>
    (await admin.get(`/api/campaigns/${id}`)).json<{ status: string; pauseReason: string | null }>();

  test.each([
    ['banned', 'account_banned', 'everything', 'paused'],
    ['campaigns_restricted', 'account_restricted', 'campaigns', 'paused'],
    ['violation', null, null, 'running'],
  ] as const)('%s stops its numbers for %s, and is told once', async (verdict, code, blocks, status) => {
    const { id } = await start();
    await judge(verdict);
    expect(await stopped()).toEqual({ code, blocks });
    expect(await campaign(id)).toMatchObject({ status });
    const told = (await heard()).filter(({ kind }) => kind !== 'campaign_paused');
    expect(told).toEqual([{ kind: 'account_judged', subject: channelId, account: 'Acme', verdict }]);
  });

  test('says why its campaigns wait', async () => {
    const { id } = await start();
    await judge('banned');
    expect((await campaign(id)).pauseReason).toMatch(/has banned this account/);
  });

  test('of another account, or before somebody let the number go on, stops nothing', async () => {
    await judge('banned', { account: '7' });
    expect(await heard()).toEqual([]);
    await query('UPDATE channels SET resumed_at = now()');
    await judge('banned', { occurredAt: Date.now() - 60_000 });
    expect(await stopped()).toEqual({ code: null, blocks: null });
  });

  test('is taken back: its own stop is lifted, that of something else is not, and campaigns wait for people', async () => {
    const { id } = await start();
    await judge('banned');
    await judge('reinstated');
    expect(await stopped()).toEqual({ code: null, blocks: null });
    expect(await campaign(id)).toMatchObject({ status: 'paused' });
    await query(`UPDATE channels SET stopped_code = '190', stopped_for = 'everything'`);
    await judge('reinstated');
    expect(await stopped()).toEqual({ code: '190', blocks: 'everything' });
  });

  test('counts by its own time, in whichever order its news arrive', async () => {
    const now = Date.now();
    const ago = (seconds: number) => ({ occurredAt: now - seconds * 1_000 });
    // The end of an earlier ban lifts no newer one,
    await judge('banned', ago(60));
    await judge('reinstated', ago(120));
    expect(await stopped()).toEqual({ code: 'account_banned', blocks: 'everything' });
    // nor does a ban of before that arrives late make the newer one look older.
    await judge('banned', ago(180));
    await judge('reinstated', ago(90));
    expect(await stopped()).toEqual({ code: 'account_banned', blocks: 'everything' });
    await judge('reinstated', ago(30));
    expect(await stopped()).toEqual({ code: null, blocks: null });
    // A ban that arrives behind its end stops nothing; one of after it does, although the end was read later.
    await judge('banned', ago(45));
    expect(await stopped()).toEqual({ code: null, blocks: null });
    await judge('banned', ago(15));
    expect(await stopped()).toEqual({ code: 'account_banned', blocks: 'everything' });
  });
});
