import { defaultRolePermissions, type Permission } from '@app/domain/auth/permissions';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  questionBeforeRetry,
  questionBeforeSending,
  questionBeforeSendingAgain,
} from '../../src/features/campaigns/ask-to-send.ts';
import type { Campaign } from '../../src/features/campaigns/campaigns-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';

function signIn(permissions: readonly Permission[]): void {
  const key = orpc.auth.getSession.queryKey({ input: {} });
  queryClient.setQueryData(key, { user: { id: 'u' }, workspace: { id: 'w' }, permissions } as never);
}

beforeAll(() => loadMessages('sending', 'campaigns', 'deliveries'));
const counts = { total: 0, pending: 0, sent: 0, delivered: 0, read: 0, failed: 0, cancelled: 0, unknown: 0 };
const details = {
  ...{ id: 'c', name: 'Spring', status: 'draft', startedAt: null, counts, audience: { contactIds: ['a'] } },
  ...{
    templateId: null,
    customMessage: 'Hi',
    contentId: null,
    channelId: null,
    quietHours: null,
    inContactLanguage: false,
    variables: {},
  },
  ...{ segments: [{ id: 's', name: 'Buyers' }], audienceSize: 1, plannedCost: 0.05, priceCurrency: 'USD' },
};
const left = {
  ...{ receiving: 1200, estimatedCost: 60, priceCurrency: 'USD', budgetLeft: null, obstacle: null },
  ...{ estimatedSeconds: 120, finishesAt: '2026-11-21T10:00:00.000Z', languages: null },
  valueProblems: [],
};
let answers: Record<string, object> = {};
let asked: Record<string, unknown> = {};
beforeEach(() => {
  signIn(defaultRolePermissions.admin);
  asked = {};
  answers = { get: details, preflight: { ...left, deletedSegmentIds: [] }, preflightRest: left };
  vi.stubGlobal('fetch', async (request: Request) => {
    const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
    asked[name] = (await request.json()).json;
    return Response.json({ json: answers[name] });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const remedies = { settings: () => undefined, message: () => undefined, audience: () => undefined };
const campaign = (changes: object = {}) => ({ ...details, ...changes }) as unknown as Campaign;
const asking = (changes: object = {}) => questionBeforeSending(queryClient, campaign(changes), remedies);
const ask = async (changes: object = {}) => (await asking(changes)).request;
const paused = {
  status: 'paused',
  startedAt: '2026-11-21T09:00:00.000Z',
  counts: { ...counts, total: 2000 },
};

test('who resumes decides by the people, the cost and the time that are left', async () => {
  const { title, facts, obstacle } = await ask(paused);
  expect(asked).toEqual({ preflightRest: { campaignId: 'c', whom: 'waiting' } });
  expect(title).toBe('Go on and send to the 1,200 people who still wait?');
  expect(facts?.map(({ label }) => label)).toEqual(['People', 'Estimated cost', 'Sending takes']);
  expect(facts?.map(({ value }) => value).slice(0, 2)).toEqual(['1,200', '$60.00']);
  expect(obstacle).toBeUndefined();
});

test('so does who sends again to those of whom nobody knows; nobody is asked about nobody', async () => {
  answers['preflightRest'] = { ...left, budgetLeft: 10 };
  const question = await questionBeforeSendingAgain(queryClient, 'c', remedies);
  expect(asked).toEqual({ preflightRest: { campaignId: 'c', whom: 'unknown' } });
  expect(question?.title).toBe('Send again to 1,200 recipients?');
  expect(question?.facts).toHaveLength(3);
  expect(question?.text).toContain('$10.00');
  answers['preflightRest'] = { ...left, receiving: 0 };
  expect(await questionBeforeSendingAgain(queryClient, 'c', remedies)).toBeNull();
});

test.each([
  ['not_connected', 'No number is connected', 'Open Settings'],
  ['chosen_number_off', 'The chosen number is not connected', 'Open Settings'],
  ['template_not_approved', 'The file of the template’s header is missing', 'Choose a template instead'],
  ['segment_deleted', 'The segment “Buyers” was deleted', 'Choose other contacts'],
])('%s stands in the question with its next step', async (obstacle, text, label) => {
  answers['preflight'] = {
    ...{ ...left, obstacle, deletedSegmentIds: ['s'] },
    templateObstacle: obstacle === 'template_not_approved' ? 'header_file_missing' : null,
  };
  const question = await ask();
  expect(question.obstacle?.text).toContain(text);
  expect(question.obstacle?.step?.label).toBe(label);
  expect(question.title).toBe('Send this campaign to 1,200 people now?');
});

test('the question leaves out contacts in the holdout group, and says so', async () => {
  answers['get'] = { ...details, abTest: { holdoutPercent: 10 } };
  answers['preflight'] = { ...left, chosen: 1200, deletedSegmentIds: [] };
  const { title, facts, warnings } = await ask();
  expect(title).toBe('Send this campaign to 1,080 people now?');
  expect(facts?.map(({ value }) => value).slice(0, 2)).toEqual(['1,080', '$54.00']);
  expect(warnings).toEqual(['About 120 belong to the holdout group and get nothing']);
});

test('a template that is gone stands there too, and what only waits does not', async () => {
  answers['get'] = { ...details, customMessage: null };
  expect((await ask()).obstacle?.text).toContain('template');
  answers['get'] = details;
  answers['preflight'] = { ...left, obstacle: 'channel_stopped', deletedSegmentIds: [] };
  expect((await ask()).obstacle).toBeUndefined();
});

test('nobody is led to a page that turns them away', async () => {
  signIn(defaultRolePermissions.admin.filter((permission) => !permission.startsWith('settings:')));
  answers['preflightRest'] = { ...left, obstacle: 'number_off' };
  const { obstacle, text } = await ask(paused);
  expect(obstacle?.text).toContain('The number that this campaign leaves through is not connected');
  expect(text).toBeUndefined();
  expect(obstacle?.step).toBeUndefined();
});

test('every open warning stands in the question, and placeholders without a value leave by an explicit yes alone', async () => {
  const people = [{ contactId: 'a', name: 'Ann' }];
  answers['preflight'] = {
    ...{ ...left, deletedSegmentIds: [], receiving: 5, chosen: 9, optedOut: 4 },
    valueProblems: [
      { kind: 'missing', placeholder: 'code', count: 2, people },
      { kind: 'too_long', placeholder: null, count: 1, people },
    ],
  };
  const { request, values } = await asking();
  expect(request.warnings).toEqual([
    '4 opted out',
    '2 people have no value for {{code}} and will not get the message: Ann and 1 more',
    'For 1 person the text becomes too long with their values, and the platform will refuse it: Ann',
  ]);
  expect(request.option).toMatchObject({ isNeeded: false });
  expect(values.isAllowed).toBe(false);
  request.option?.onChange(true);
  expect(values.isAllowed).toBe(true);
});

test('where nobody has a value nothing is said yes to without that', async () => {
  const valueProblems = [{ kind: 'missing', placeholder: 'code', count: 1200, people: [] }];
  answers['preflightRetry'] = { ...left, runningId: null, deletedSegmentIds: [], valueProblems };
  const question = await questionBeforeRetry(queryClient, 'c', remedies);
  expect(question?.request.option).toMatchObject({ isNeeded: true });
});

test('a retry that cannot leave says so in its question', async () => {
  answers['preflightRetry'] = { ...left, runningId: null, obstacle: 'not_connected', deletedSegmentIds: [] };
  expect((await questionBeforeRetry(queryClient, 'c', remedies))?.request.obstacle?.step?.label).toBe(
    'Open Settings',
  );
});
