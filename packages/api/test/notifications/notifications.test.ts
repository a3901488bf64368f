import { newId } from '@app/database/new-id';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import type { OperationKindName } from '@app/domain/operations/operation-kinds';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { makeNotifications } from '../../src/notifications/make-notifications.ts';
import { enqueueNotificationMails } from '../../src/notifications/enqueue-mails.ts';
import type { StoredFact } from '../../src/platform/facts/fact-consumer.ts';
import { mailWords } from '../../src/platform/words/mail-words.ts';
import { changeAcrossWorkspaces } from '../../src/platform/system-work.ts';
import { openApiFixture, readErrorBody, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';
import { pageOf } from '../scope-on.ts';

let api: ApiFixture;
let agent: Awaited<ReturnType<typeof addCaller>>;
beforeAll(async () => {
  api = await openApiFixture();
});
beforeEach(async () => {
  agent = await addCaller(api, 'agent');
});
afterAll(() => api.close());

type Item = {
  id: string;
  kind: string;
  values: Record<string, unknown>;
  isRead: boolean;
  subject: string | null;
};
const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const list = async (caller: ApiCaller, rest = '') =>
  (await caller.get(`/api/notifications${rest}`)).json<{ items: Item[]; nextCursor: string | null }>();
const countUnread = async (caller: ApiCaller) =>
  (await (await caller.get('/api/notifications/summary')).json<{ unread: number }>()).unread;

async function emit(...facts: NewFact[]): Promise<void> {
  await changeAcrossWorkspaces(api.parts, 'sign-in', async ({ scopeOf }) => {
    for (const fact of facts) await scopeOf(api.workspaceId).emit(fact);
  });
  await api.facts.catchUp();
}

const assigned = (assigneeId: string): NewFact => ({
  ...{ type: 'conversation.assigned', subject: newId() },
  values: { contactIds: [], assigneeId, before: null, teamId: null },
});

async function addCampaign(createdBy: string, name: string): Promise<string> {
  const admin = await api.as('admin');
  const { rows } = await query(
    `INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, 'Ann', '+14155550199')
     ON CONFLICT (workspace_id, phone) DO UPDATE SET name = excluded.name RETURNING id`,
    [newId(), api.workspaceId],
  );
  const contactId: string = rows[0].id;
  const answer = await admin.post('/api/campaigns', {
    ...{ name, message: { customMessage: 'Hello' }, audience: { contactIds: [contactId] } },
  });
  const { id } = await answer.json<{ id: string }>();
  await query('UPDATE campaigns SET created_by = $2 WHERE id = $1', [id, createdBy]);
  return id;
}

const entriesOf = (said: Record<OperationKindName, string>) =>
  Object.entries(said) as [OperationKindName, string][]; // these are its keys
const sayDone = (values?: Record<string, unknown>) =>
  mailWords('en')('mail.news.long_act_done', values as Record<string, string | number>); // they are words and figures
/** One of the agent's, which is over after so many seconds. */
const addImport = (id: string, seconds: number, isDryRun = 0, kind: OperationKindName = 'contact-import') =>
  query(
    `INSERT INTO operations (id, workspace_id, kind, name, state, user_id, created_at, ended_at, result)
     VALUES ($1, $2, $6, 'people.csv', 'done', $3, now() - make_interval(secs => $4), now(), $5)`,
    [id, api.workspaceId, agent.id, seconds, JSON.stringify({ successful: 7, failed: 2, isDryRun }), kind],
  );

describe('people hear of what concerns them', () => {
  test('each kind of fact, with what it leads to, the newest first', async () => {
    const id = await addCampaign(agent.id, 'Spring');
    const operationId = newId();
    await addImport(operationId, 40);
    const quickActId = newId();
    await addImport(quickActId, 2);
    const teamId = newId();
    await emit(
      {
        type: 'campaign.completed',
        subject: id,
        values: { total: 3, sent: 2, failed: 1, cancelled: 0, unknown: 0 },
      },
      { type: 'campaign.run_changed', subject: id, values: { state: 'running', reason: null } },
      { type: 'campaign.run_changed', subject: id, values: { state: 'paused', reason: 'limit' } },
      { type: 'campaign.start_failed', subject: id, values: { name: 'Spring', reason: 'template' } },
      { type: 'long_act.ended', subject: quickActId, values: { kind: 'contact-import', state: 'done' } },
      { type: 'long_act.ended', subject: operationId, values: { kind: 'contact-import', state: 'done' } },
      {
        type: 'team.member_added',
        subject: teamId,
        values: { team: 'North', name: 'Noor', userId: agent.id },
      },
      { type: 'account.new_browser', subject: agent.id, values: {} },
      assigned(agent.id),
    );
    const { items } = await list(agent.caller);
    expect(items.map(({ kind, subject }) => [kind, subject]).toReversed()).toEqual([
      ['campaign_completed', id],
      ['campaign_paused', id],
      ['campaign_failed', id],
      ['long_act_done', operationId],
      ['team_joined', teamId],
      ['new_browser', null],
      ['conversation_assigned', expect.any(String)],
    ]);
    expect(items.at(-1)?.values).toEqual({ name: 'Spring', sent: 2, failed: 1 });
    expect(items.find(({ kind }) => kind === 'long_act_done')?.values).toEqual({
      ...{ act: 'contact_import', name: 'people.csv', isNamed: 'yes' },
      ...{ isCounted: 'yes', successful: 7, failed: 2 },
    });
    expect(await countUnread(agent.caller)).toBe(7);
  });

  test('of an A/B test that ended: whether a variant has to be chosen, and which one won', async () => {
    const id = await addCampaign(agent.id, 'Spring');
    await query(`UPDATE memberships SET role = 'manager' WHERE user_id = $1`, [agent.id]);
    const plan = { remaining: 90 };
    const won = { outcome: 'winner', variant: 1 };
    for (const result of [
      { plan, verdict: won },
      { plan, verdict: won, chosen: { variant: 1, by: 'rule' } },
      { plan: { remaining: 0 }, verdict: { outcome: 'too_few' } },
    ]) {
      await query('UPDATE campaigns SET ab_result = $2 WHERE id = $1', [id, JSON.stringify(result)]);
      const { outcome } = result.verdict;
      await emit({
        type: 'campaign.test_ended',
        subject: id,
        values: { name: 'Spring', outcome },
      } as NewFact);
    }
    const { items } = await list(agent.caller);
    expect(items.map(({ kind, subject, values }) => [kind, subject, values]).toReversed()).toEqual([
      ['ab_test_choice', id, { name: 'Spring', outcome: 'winner', variant: 'B' }],
      ['ab_test_ended', id, { name: 'Spring', outcome: 'winner', variant: 'B' }],
      ['ab_test_ended', id, { name: 'Spring', outcome: 'too_few', variant: 'A' }],
    ]);
    const words = mailWords('en');
    expect(words('mail.news.ab_test_choice', { name: 'Spring', outcome: 'winner', variant: 'B' })).toBe(
      'Variant B won in Spring. Choose when to send it to the remaining contacts',
    );
  });

  test.each(['contact-import', 'data-import'] as const)(
    'a %s that was only tried is told of as that, and counts nothing as imported',
    async (kind) => {
      const operationId = newId();
      await addImport(operationId, 40, 1, kind);
      await emit({ type: 'long_act.ended', subject: operationId, values: { kind, state: 'done' } });
      const { items } = await list(agent.caller);
      expect(items[0]?.values).toEqual({ act: 'contact_check', name: 'people.csv', isNamed: 'yes' });
    },
  );

  longTest.each(
    entriesOf({
      'contact-import': 'The import of people.csv is done: 7 imported, 2 failed',
      'data-import': 'The import of people.csv is done',
      'data-replacement': 'The replacement of all data of people.csv is done',
      'contact-removal': 'The deletion of people.csv is done',
      'contact-restore': 'The restoration of people.csv is done',
      'data-clear': 'The deletion of all data of people.csv is done',
      'contact-consents': 'The recording of consent of people.csv is done',
      'workflow-move': 'The move of runs of people.csv is done',
      'workflow-simulation': 'The trial of the draft of people.csv is done',
      'webhook-resend': 'The resend of webhooks of people.csv is done',
      'contact-edit': 'The editing of contacts of people.csv is done',
      'contact-export': 'The export of people.csv is done',
      'data-export': 'The export of people.csv is done',
      'results-export': 'The export of people.csv is done',
      'workspace-archive': 'The full archive of people.csv is done',
      'archive-check': 'The check of the archive of people.csv is done',
      'archive-replacement': 'The reading in of the archive of people.csv is done',
    }),
  )('the end of a %s is told as what it is', async (kind, said) => {
    const operationId = newId();
    await addImport(operationId, 40, 0, kind);
    await emit({ type: 'long_act.ended', subject: operationId, values: { kind, state: 'done' } });
    const { items } = await list(agent.caller);
    expect(sayDone(items[0]?.values)).toBe(said);
  });

  test('who asks to join is told to those who may let them in', async () => {
    const before = await countUnread(await api.as('admin'));
    await api.stranger.post('/api/auth/sign-up/email', {
      ...{
        firstName: 'Hugo',
        lastName: 'Blanc',
        email: `hugo${newId()}@acme.test`,
        password: 'Welcome123',
        role: 'agent',
      },
    });
    await api.facts.catchUp();
    const { items } = await list(await api.as('admin'));
    expect(items[0]).toMatchObject({ kind: 'approval_asked', values: { name: 'Hugo Blanc' } });
    expect(await countUnread(await api.as('admin'))).toBe(before + 1);
    expect((await list(await api.as('manager'))).items.map(({ kind }) => kind)).not.toContain(
      'approval_asked',
    );
    expect((await list(await api.asOther())).items).toEqual([]);
  });

  test('a new browser is one, the first sign-in is none', async () => {
    expect((await list(agent.caller)).items).toEqual([]);
    const again = await signIn(api.app, agent.email);
    await api.facts.catchUp();
    expect((await list(again)).items.map(({ kind }) => kind)).toEqual(['new_browser']);
  });

  test('nobody of another workspace, nobody who is out, and not who did it', async () => {
    const own = await api.userId('admin@other.test');
    await emit(assigned(own));
    expect((await list(await api.asOther())).items).toEqual([]);
    await query('UPDATE memberships SET is_active = false WHERE user_id = $1', [agent.id]);
    await emit(assigned(agent.id));
    expect((await query('SELECT FROM notifications WHERE user_id = $1', [agent.id])).rowCount).toBe(0);
  });

  test('what a role may not read any more is not shown', async () => {
    await emit(assigned(agent.id));
    expect(await countUnread(agent.caller)).toBe(1);
    await query(`UPDATE workspaces SET role_permissions = '{"agent": ["contacts:read"]}' WHERE id = $1`, [
      api.workspaceId,
    ]);
    expect([await countUnread(agent.caller), (await list(agent.caller)).items]).toEqual([0, []]);
    await query(`UPDATE workspaces SET role_permissions = '{}' WHERE id = $1`, [api.workspaceId]);
  });

  test('once for each fact and person, also when a reader that died hears it again', async () => {
    await emit(assigned(agent.id));
    const { rows } = await query(
      `SELECT id::float8 AS id, type, version, subject_kind AS "subjectKind", subject_id AS subject, actor, "values", workspace_id AS "workspaceId"
         FROM events WHERE type = 'conversation.assigned' AND "values" ->> 'assigneeId' = $1`,
      [agent.id],
    );
    const facts = rows as StoredFact[];
    expect(facts.length).toBe(1);
    await changeAcrossWorkspaces(api.parts, 'facts', ({ scopeOf }) =>
      makeNotifications.handle(pageOf(scopeOf(api.workspaceId)), facts, api),
    );
    expect((await list(agent.caller)).items.length).toBe(1);
  });
});

describe('reading', () => {
  test('one by one and all at once, in pages, and never those of others', async () => {
    await emit(...Array.from({ length: 5 }, () => assigned(agent.id)));
    const first = await list(agent.caller, '?limit=3');
    const second = await list(agent.caller, `?limit=3&cursor=${first.nextCursor}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 2, null]);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    const read = (caller: ApiCaller, id: string) => caller.post(`/api/notifications/${id}/read`, {});
    expect(await (await read(agent.caller, ids[0]!)).json()).toEqual({ read: 1 });
    expect(await (await read(agent.caller, ids[0]!)).json()).toEqual({ read: 0 });
    const unread = await list(agent.caller, '?unread=yes&limit=3');
    const rest = await list(agent.caller, `?unread=yes&limit=3&cursor=${unread.nextCursor}`);
    expect([...unread.items, ...rest.items].map(({ id }) => id)).toEqual(ids.slice(1));
    const other = await api.as('admin');
    expect((await readErrorBody(await read(other, ids[1]!))).code).toBe('notification_not_found');
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(await (await agent.caller.post('/api/notifications/read', { until })).json()).toEqual({ read: 4 });
    expect(await countUnread(agent.caller)).toBe(0);
  });
});

describe('mail', () => {
  const mailsTo = (email: string) => api.mails.filter(({ to }) => to === email);
  const prefer = (caller: ApiCaller, notifications: object) =>
    caller.put('/api/profile/preferences', {
      ...{ theme: 'light', dashboard: { layout: 'grid', widgets: [] } },
      notifications: { email: true, push: true, sms: false, inApp: true, ...notifications },
    });
  async function settle(): Promise<void> {
    const open = `SELECT state, output FROM jobs.job WHERE name = 'notification-mail' AND state <> 'completed'`;
    await expect.poll(async () => (await query(open)).rows).toEqual([]);
  }
  async function pass(minutes: number): Promise<void> {
    api.advance(minutes * 60_000);
    // Two processes at once leave one mail.
    await Promise.all([enqueueNotificationMails(api.parts), enqueueNotificationMails(api.parts)]);
    await settle();
  }

  test('gathers what was not read, and comes once in some minutes', async () => {
    await emit(assigned(agent.id), assigned(agent.id));
    await pass(1);
    expect(mailsTo(agent.email)).toEqual([]);
    await pass(2);
    expect(mailsTo(agent.email).map(({ subject }) => subject)).toEqual(['2 notifications']);
    await emit(assigned(agent.id));
    await pass(5);
    expect(mailsTo(agent.email).length).toBe(1);
    await pass(11);
    expect(mailsTo(agent.email).map(({ subject }) => subject)).toEqual([
      '2 notifications',
      'A conversation was assigned to you',
    ]);
  });

  longTest('of very many holds the first, and says how many there are', async () => {
    await emit(...Array.from({ length: 60 }, () => assigned(agent.id)));
    await pass(3);
    const [mail] = mailsTo(agent.email);
    expect(mail?.subject).toBe('60 notifications');
    expect(mail?.text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(51);
  });

  longTest('is none for what was read, for what has a mail of its own, and for who wants none', async () => {
    await emit(assigned(agent.id));
    await agent.caller.post('/api/notifications/read', {
      until: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await emit({ type: 'account.new_browser', subject: agent.id, values: {} });
    const quiet = await addCaller(api, 'agent');
    await prefer(quiet.caller, { email: false });
    await emit(assigned(quiet.id));
    await pass(20);
    expect([...mailsTo(agent.email), ...mailsTo(quiet.email)]).toEqual([]);
    expect((await list(quiet.caller)).items.length).toBe(1);
  });

  longTest('says nothing of what a role may not read any more', async () => {
    await emit(assigned(agent.id));
    await query(`UPDATE workspaces SET role_permissions = '{"agent": ["contacts:read"]}' WHERE id = $1`, [
      api.workspaceId,
    ]);
    await pass(20);
    await query(`UPDATE workspaces SET role_permissions = '{}' WHERE id = $1`, [api.workspaceId]);
    expect(mailsTo(agent.email)).toEqual([]);
  });

  test('alone is what somebody gets who wants nothing in the list', async () => {
    await prefer(agent.caller, { inApp: false });
    await emit(assigned(agent.id));
    expect((await list(agent.caller)).items).toEqual([]);
    await pass(20);
    expect(mailsTo(agent.email).length).toBe(1);
  });
});

describe('what people are told of who have chosen nothing', () => {
  const none = { inApp: false, push: false, email: false };
  const all = { inApp: true, push: true, email: true };
  const defaults = async () => (await api.as('admin')).get('/api/settings/notices');
  const chosen = async (caller: ApiCaller) =>
    (await caller.get('/api/profile/notifications')).json<{
      ways: object;
      options: Record<string, object>;
    }>();

  test('is everything, until the workspace wants it otherwise; what somebody chose stays', async () => {
    const admin = await api.as('admin');
    const decided = await addCaller(api, 'agent');
    const own = await chosen(decided.caller);
    await decided.caller.put('/api/profile/notifications', {
      ...own,
      options: { ...own.options, conversation_assigned: all },
    });
    const { version, options } = await (await defaults()).json<{ version: number; options: object }>();
    expect(options).toMatchObject({ conversation_assigned: all });
    const saved = await admin.put('/api/settings/notices', {
      ...{ version, options: { ...options, conversation_assigned: none } },
    });
    expect(await saved.json()).toMatchObject({
      version: version + 1,
      options: { conversation_assigned: none },
    });
    expect((await chosen(agent.caller)).options).toMatchObject({
      conversation_assigned: none,
      mentioned: all,
    });
    expect((await chosen(decided.caller)).options).toMatchObject({ conversation_assigned: all });
    await emit(assigned(agent.id), assigned(decided.id));
    expect((await list(agent.caller)).items).toEqual([]);
    expect((await list(decided.caller)).items).toHaveLength(1);
    const stale = await admin.put('/api/settings/notices', { version, options: {} });
    expect((await readErrorBody(stale)).code).toBe('settings_changed');
    await admin.put('/api/settings/notices', { version: version + 1, options: {} });
    expect((await chosen(agent.caller)).options).toMatchObject({ conversation_assigned: all });
  });
});
