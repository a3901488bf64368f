import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import {
  callRest,
  callRpc,
  contractRoutes,
  isChanging,
  makeInput,
  permissionsOf,
  readAnswer,
  rpcPath,
  type ContractRoute,
} from './contract-routes.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

test('what changes something asks for more than to read', () => {
  const looksOnly = [
    'contactActs.countOptedOut',
    'bulkMessage.preview',
    'campaigns.preflight',
    'campaigns.planTest',
    'campaigns.countAudience',
    'campaigns.countReachable',
    'campaigns.findInAudience',
    'segments.count',
    'workflowRuns.previewEnrolment',
    'workflows.check',
  ];
  const ofEverybody = [
    'activity.recordView',
    'activity.setPresence',
    'landing.sendEnquiry',
    ...contractRoutes
      .filter(
        (route) =>
          isChanging(route) &&
          /^(apiKeys|profile|twoFactor|passkeys|companySignIn|notifications|workspaces)\./.test(route.name),
      )
      .filter(({ access }) => access === 'signed-in')
      .map(({ name }) => name),
  ];
  // What a person sees in their own way.
  const ofOneself = [
    'contactLayout.save',
    ...['conversations.mark', 'conversations.pinMany', 'conversations.tellViewing'],
    ...[
      'reportViews.save',
      'reportViews.rename',
      'reportViews.setMail',
      'reportViews.remove',
      'notifications.mailView',
    ],
    // Those of everybody ask for more, inside.
    ...['conversationViews.create', 'conversationViews.update', 'conversationViews.remove'],
  ];
  // Who may do it depends on who leads the team.
  const decidedByTheTeam = [
    ...['teams.update', 'teams.remove', 'teams.addMember', 'teams.setMember', 'teams.removeMember'],
  ];
  // Who created a draft may change and delete it: the functions that change a workflow ask for more.
  const decidedByTheDraft = ['workflows.save', 'workflows.remove', 'chatbot.deleteFlow'];
  // Whoever may begin such an act may stop it: that is asked of its kind.
  const decidedByTheKind = ['operations.cancel', 'operations.dismiss', 'operations.dismissAll'];
  const asksForReadingOnly = ({ access }: ContractRoute) =>
    permissionsOf(access).every((permission) => permission.endsWith(':read'));
  expect(
    contractRoutes
      .filter(isChanging)
      .filter(asksForReadingOnly)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(
    [
      ...looksOnly,
      ...ofEverybody,
      ...ofOneself,
      ...decidedByTheTeam,
      ...decidedByTheDraft,
      ...decidedByTheKind,
    ].toSorted(),
  );
});

describe('from another site, with the cookie of an admin', () => {
  const crossSite = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };

  test.each(contractRoutes.filter(isChanging).map((route) => [route.name, route] as const))(
    '%s is refused',
    async (_, route) => {
      const admin = await api.as('admin');
      for (const call of [callRest, callRpc]) {
        const response = await call(admin, route, makeInput(route), crossSite);
        expect(response.status).toBe(403);
        expect(await readAnswer(response)).toMatchObject({ code: 'cross_site_request' });
      }
    },
  );

  test('no link can change anything: a GET reaches no changing procedure', async () => {
    const admin = await api.as('admin');
    for (const route of contractRoutes.filter(isChanging)) {
      const data = encodeURIComponent(JSON.stringify({ json: makeInput(route), meta: [] }));
      const response = await admin.get(`${rpcPath(route)}?data=${data}`);
      expect([route.name, response.status]).toEqual([route.name, 405]);
    }
  });

  test.each([
    ['/api/contacts/imports', 'POST'],
    [`/api/uploads/${crypto.randomUUID()}`, 'PATCH'],
    ['/api/auth/sign-out', 'POST'],
    ['/api/auth/sign-in/email', 'POST'],
  ])('%s is refused', async (path, method) => {
    const admin = await api.as('admin');
    const response = await admin.request(path, {
      method,
      body: '{}',
      headers: { 'content-type': 'text/plain', ...crossSite },
    });
    expect(response.status).toBe(403);
  });

  test('a form without an origin that says it comes from another site is refused too', async () => {
    const admin = await api.as('admin');
    const response = await admin.request('/api/contacts', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
      body: JSON.stringify({ name: 'Ann', phone: '+14155552671' }),
    });
    expect(response.status).toBe(403);
  });
});

test.each([
  ['POST', '/api/contacts/imports'],
  ['GET', '/api/contacts/export?format=csv'],
  ['GET', `/api/campaigns/${crypto.randomUUID()}/recipients/export`],
  ['PATCH', `/api/uploads/${crypto.randomUUID()}`],
  ['GET', `/api/media/${crypto.randomUUID()}/content`],
  ['GET', '/api/contacts'],
])('%s %s says to strangers in one way that nobody is signed in', async (method, path) => {
  const response = await api.stranger.request(path, { method });
  expect([response.status, (await readAnswer(response)).code]).toEqual([401, 'signed_out']);
});
