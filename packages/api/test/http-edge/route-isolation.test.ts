import { isThorough, part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import {
  callRest,
  callRpc,
  contractRoutes,
  everyField,
  makeInput,
  pathParameters,
  readAnswer,
  type ContractRoute,
  type Input,
} from './contract-routes.ts';
import { aboutOwnRows } from '../access/id-scenes.ts';
import { quietConnector } from '../integrations/quiet-connector.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { readWorkspace } from '../workspace-rows/read-workspace.ts';
import { addWorkspaceRows, ROW_MARK } from '../workspace-rows/workspace-rows.ts';

let api: ApiFixture;
let admin: ApiCaller;
let other: ApiCaller;
/** Ids of the other workspace. */
let foreign: Awaited<ReturnType<typeof addWorkspaceRows>>;

const mediaStore = createMemoryMediaStore();

beforeAll(async () => {
  // Work in the background of the other workspace, such as a webhook that is sent, would look like the work of a request.
  api = await openApiFixture({ mediaStore }, { isWorking: false });
  admin = await api.as('admin');
  other = await api.asOther();
});
afterAll(() => api.close());
beforeEach(async () => {
  foreign = await addWorkspaceRows(api.parts, api.otherWorkspaceId, other);
  mediaStore.files.set(`files/${foreign.mediaId}`, new TextEncoder().encode(ROW_MARK));
});

/** What stands in addresses and is no id of a row. */
const textOf: Record<string, string> = {
  ...{ kind: quietConnector.name, triggerId: 'called', number: '1', eventType: 'contact.created' },
};

/** The id of a row for which the owner's own request gets past "there is no such …". */
function foreignId(route: ContractRoute, parameter: string): string {
  const id =
    {
      'contacts.restore': foreign.deletedContactId,
      'profile.endSession': foreign.ownSessionId,
      'botKnowledge.readAgain': foreign.knowledgePageId,
    }[route.name] ??
    foreign[parameter] ??
    textOf[parameter];
  if (!id) throw new Error(`${route.name} takes a {${parameter}}: make a row for it in workspace-rows.ts.`);
  return id;
}

async function expectUntouched(act: () => Promise<void>): Promise<void> {
  // What was done before is told in its own time.
  await api.facts.catchUp();
  const before = await readWorkspace(api.db, api.otherWorkspaceId);
  await act();
  await api.facts.catchUp();
  expect(await readWorkspace(api.db, api.otherWorkspaceId)).toEqual(before);
}

const routesWithIds = contractRoutes.filter((route) => pathParameters(route).length > 0);

describe('an id of another workspace in the address', () => {
  // That nobody else's is: foreign-ids.test.ts.
  test.each(part(routesWithIds, 8).map((route) => [route.name, route] as const))(
    '%s is found by its owner',
    async (_, route) => {
      const input: Input = makeInput(route, aboutOwnRows(foreign, route));
      for (const parameter of pathParameters(route)) input[parameter] = foreignId(route, parameter);
      const ownersAnswer = await readAnswer(await callRest(other, route, input));
      expect(ownersAnswer.code ?? '').not.toMatch(/not_found$/i);
    },
  );

  test('the content of a file stays with its workspace', async () => {
    const path = `/api/media/${foreign.mediaId}/content`;
    expect((await admin.get(path)).status).toBe(404);
    expect(await (await other.get(path)).text()).toBe(ROW_MARK);
  });

  test('nobody adds bytes to an upload of another workspace', async () => {
    const addBytes = (caller: ApiCaller) =>
      caller.request(`/api/uploads/${foreign.uploadId}`, {
        method: 'PATCH',
        body: 'bytes',
        headers: { 'upload-offset': '0' },
      });
    await expectUntouched(async () => expect((await addBytes(admin)).status).toBe(404));
    expect((await addBytes(other)).status).toBe(200);
  });
});

describe('an id of another workspace anywhere else', () => {
  test.each([
    ['campaigns.create', { name: 'Mine', audience: { contactIds: [] } }],
    ['campaigns.preflight', { audience: { contactIds: [] } }],
    ['campaigns.planTest', { metric: 'read', smallestDifference: 5, shares: [50, 50] }],
    ['bulkMessage.preview', { audience: { contactIds: [] } }],
    ['bulkMessage.send', { audience: { contactIds: [] } }],
  ])('%s does not find its template', async (name, input) => {
    const route = contractRoutes.find((candidate) => candidate.name === name)!; // named in the table above
    await admin.post('/api/contacts', { name: 'Ann', phone: '+14155552671' });
    const { items } = await (await admin.get('/api/contacts')).json<{ items: { id: string }[] }>();
    const audience = { contactIds: items.map(({ id }) => id) };
    const message = { templateId: foreign.templateId };
    const response = await callRest(admin, route, { ...input, audience, message });
    expect(await readAnswer(response)).toMatchObject({ code: 'template_not_found' });
  });

  test('a template does not show its file', async () => {
    const header = { type: 'header', format: 'image', media: { id: foreign.mediaId, name: 'x', size: 4 } };
    const body = { type: 'body', text: 'Hello' };
    const response = await admin.post('/api/templates', { name: 'Mine', components: [header, body] });
    expect(await readAnswer(response)).toMatchObject({ code: 'media_not_found' });
  });

  test('its contacts are in no audience', async () => {
    const audience = { contactIds: [foreign.contactId] };
    const message = { customMessage: 'Hello' };
    const preflight = await admin.post('/api/campaigns/preflight', { audience, message });
    expect(await preflight.json()).toMatchObject({ receiving: 0 });
    const size = await admin.post('/api/campaigns/audience-size', { audience });
    expect(await size.json()).toEqual({ chosen: 0 });
  });

  // One kind of each choice, another for the next route; `npm run faults -- foreign-rows` tries all of each.
  const kinds = isThorough ? [0, 1, 2] : [0];
  longTest.each(kinds)(
    'no answer of any route shows its rows (from kind %i of each choice)',
    async (first) => {
      await expectUntouched(async () => {
        for (const [place, route] of contractRoutes.entries()) {
          const kind = (first + place) % 3;
          const input = makeInput(route, {
            ...everyField,
            variant: (count) => kind % count,
            id: (field) => foreign[field.replace(/Ids$/, 'Id')] ?? foreign.contactId!,
          });
          const response = await callRpc(admin, route, input);
          expect([route.name, response.status < 500]).toEqual([route.name, true]);
          expect([route.name, (await response.text()).includes(ROW_MARK)]).toEqual([route.name, false]);
        }
      });
    },
  );
});
