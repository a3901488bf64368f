import { newId } from '@app/database/new-id';
import { isThorough, part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { codeOf } from '../http-edge/code-of.ts';
import {
  callRest,
  callRpc,
  contractRoutes,
  makeInput,
  pathParameters,
  type ContractRoute,
  type Input,
} from '../http-edge/contract-routes.ts';
import { plainRoutes } from '../http-edge/plain-routes.ts';
import { readWorkspace } from '../workspace-rows/read-workspace.ts';
import { addWorkspaceRows, ROW_MARK, type WorkspaceRows } from '../workspace-rows/workspace-rows.ts';
import { deleteWorkspaces } from './forgetful-queries.ts';
import { findIdFields } from './id-fields.ts';
import { aboutOwnRows, complete, idFor } from './id-scenes.ts';

/** An id of another workspace names nothing here: the request is answered, and nothing is found, chosen or left out by it. */
const findsNothing = [
  /^webhookDeliveries\.list \.endpointId$/,
  // What is no address of the connection is gone already.
  /^integrationEvents\.unsubscribe \.endpointId$/,
  /^(activity|sessions)\.list \.userId$/,
  // Figures are those of the workspace, whichever campaign they are narrowed to.
  /^analytics\.\w+ \.(campaignId|channelId|templateId|agentId|teamId)$/,
  // It says that there is none.
  /^analytics\.getFilters \.segmentId$/,
  /^campaigns\.listContents \.(channelId|contentId)$/,
  /^workflowRuns\.list \.contactId$/,
  /^conversions\.list \.(campaignId|contactId)$/,
  // What is not of the workspace has no priority in it.
  /^chatbot\.orderFlows \.botFlowIds\[\]$/,
  // What is not of the workspace is left out of the settings.
  /^chatbot\.updateSettings \.senders\[\]\.(channelId|botFlowIds\[\])$/,
  // A draft is one's own, whatever others called theirs. What it answers and its files are looked for when it is sent.
  /^conversations\.(send|addNote) \.writingId$/,
  /^drafts\.save \.(writingId|replyTo|files\[\]\.fileId)$/,
  // What is not of the conversation is not marked as read.
  /^conversations\.markRead \.messageIds\[\]$/,
  /^conversations\.list \.(assignee|channelId|teamId)$/,
  // A view keeps what the list is asked, and says that it is not there.
  /^conversationViews\.(create|update) \.query\.(assignee|channelId|teamId)$/,
  /^conversations\.(change \.conversations|pinMany \.conversationIds)/,
  /^conversations\.listScheduled \.conversationId$/,
  /^(bulkMessage\.preview|campaigns\.(preflight|planTest|countAudience|countReachable|findInAudience)) \.(audience|contactIds)/,
  // An audience without contacts starts no runs. A deleted segment is refused.
  /^workflowRuns\.(enrol|previewEnrolment) \.audience\.(?!except\[\]\.segmentId|segmentIds)/,
  // Where in the order of ids it goes on, and nobody of another workspace is found from there.
  /^bulkMessage\.preview \.after$/,
  /^(contacts\.(bulkEdit|startExport)|contactRemovals\.start) \.choice\.(contactIds|excludedIds)/,
  /^contactActs\.(countOptedOut|recordConsents|edit|saveAsSegment) \.choice\.(contactIds|excludedIds)/,
  // An import that is not here has no people.
  /^contacts\.(list|count) \.importId$|\.(filter|anyOf\[\])\.importId$/,
  /\.excludedIds\[\]$/,
  /\.audience\.contactIds\[\]$/,
  // A rule about a field that there is not meets nobody.
  /\.rules\.(groups\[\]\.)?conditions\[\]\.field$/,
  // A merge of one's own, whatever others called theirs; and a pick among contacts that are not merged picks nothing.
  /^contactMerges\.merge \.(mergeId|picks|customPicks)/,
];

/** An id that the caller draws for something new: taken elsewhere is taken. */
const drawnByTheCaller: Record<string, RegExp> = {
  'contactRemovals.start .removalId': /^404 \w+_not_found$/,
  // A key of one's own, made by the first of two requests.
  'apiKeys.create .keyId': /^(200 \{"key"|409 api_key_known$)/,
  // So is the writing of a draft: of two on one place the second is told of the first.
  'drafts.save .writingId': /^(200 \{"outcome":"(saved|changed)"|404 conversation_not_found$)/,
};

describe.each(['as they are written', 'that have forgotten their workspace'])('with queries %s', (kind) => {
  let api: ApiFixture;
  let admin: ApiCaller;
  let other: ApiCaller;
  let own: WorkspaceRows;
  let foreign: WorkspaceRows;
  let before: Record<string, unknown[]>;
  let countForgotten = () => 0;
  const isAsWritten = kind === 'as they are written';
  let cases = 0;
  let requests = 0;

  beforeAll(async () => {
    api = await openApiFixture({ mediaStore: createMemoryMediaStore() });
    [admin, other] = [await api.as('admin'), await api.asOther()];
    own = await addWorkspaceRows(api.parts, api.workspaceId, admin, 'a row of ours');
    // A list of one row has no second page.
    await addWorkspaceRows(api.parts, api.workspaceId, admin, 'another row of ours');
    foreign = await addWorkspaceRows(api.parts, api.otherWorkspaceId, other);
    await addWorkspaceRows(api.parts, api.otherWorkspaceId, other);
    // Somebody may be written to, so that requests come further than to that.
    await api.db.systemPool.query(`UPDATE contacts SET window_expires_at = now() + interval '9 hours'`);
    await api.db.systemPool.query(`UPDATE conversations SET window_ends_at = now() + interval '9 hours'`);
    await api.db.systemPool.query('UPDATE channels SET is_connected = true');
    await api.facts.catchUp();
    before = await readOther();
    if (!isAsWritten) countForgotten = deleteWorkspaces(api.db);
  });
  afterAll(async () => {
    console.info(
      `ids of another workspace, queries ${kind}: ${cases} places, ${requests} requests${countForgotten() > 0 ? `, ${countForgotten()} conditions taken out` : ''}`,
    );
    await api.close();
  });

  /** Its rows, and the accounts and sessions of its people, which belong to no workspace. */
  async function readOther(): Promise<Record<string, unknown[]>> {
    const people = await api.db.systemPool.query(
      `SELECT to_jsonb(u) AS person, (SELECT jsonb_agg(s ORDER BY s.id) FROM sessions s WHERE s.user_id = u.id) AS sessions,
              (SELECT jsonb_agg(a ORDER BY a.id) FROM accounts a WHERE a.user_id = u.id) AS accounts
         FROM users u JOIN memberships m ON m.user_id = u.id WHERE m.workspace_id = $1 ORDER BY u.id`,
      [api.otherWorkspaceId],
    );
    return { ...(await readWorkspace(api.db, api.otherWorkspaceId)), people: people.rows };
  }

  const ask = async (route: ContractRoute, input: unknown, call = callRpc): Promise<string> => {
    requests += 1;
    const whole = await complete(api, own, route, input as Input);
    return shown(await call(admin, route, whole));
  };

  // What takes contacts away comes last, and what makes an id of theirs one of ours.
  const place = ({ name }: ContractRoute) =>
    ['contactMerges.merge', 'contactRemovals.start', 'apiKeys.create'].indexOf(name);
  const routes = contractRoutes.toSorted((a, b) => place(a) - place(b));
  const withIds = routes.filter((route) => JSON.stringify(route.schema).includes('"uuid"'));
  // In the order of their last routes, so that the rows of the others are still there when it is their turn.
  const features = [...new Set(withIds.map(({ name }) => name.split('.')[0]!).toReversed())].toReversed();

  longTest('a cursor of another workspace goes on at a place of the own list', async () => {
    for (const route of contractRoutes.filter(({ schema }) => schema.properties?.cursor)) {
      const list = { ...makeInput(route, aboutOwnRows(own, route)), limit: 1 };
      const theirs = { ...makeInput(route, aboutOwnRows(foreign, route)), limit: 1 };
      const page = await (await callRest(other, route, theirs)).json<{ nextCursor: string | null }>();
      cases += 1;
      const cursor =
        page.nextCursor ?? Buffer.from(JSON.stringify(['x', foreign.contactId])).toString('base64url');
      const answer = await callRest(admin, route, { ...list, cursor });
      expect([route.name, answer.status]).toEqual([route.name, 200]);
      expect([route.name, await answer.text()]).not.toEqual([
        ...[route.name, expect.stringContaining(ROW_MARK)],
      ]);
    }
  });

  // Every fourth feature; that the guards alone would do is tried at every twelfth. `npm run faults -- access` tries all of them.
  longTest.each(isAsWritten ? part(features, 4) : part(features, 12, 1))(
    '%s knows an id of another workspace as little as one that never was',
    async (feature) => {
      for (const route of routes.filter(({ name }) => name.startsWith(`${feature}.`))) {
        for (const { path, name, make } of findIdFields(route.schema, () => aboutOwnRows(own, route))) {
          const place = `${route.name} ${path}`;
          cases += 1;
          const unknown = await ask(route, make(newId()));
          // By the one address or by the other.
          const ways = isThorough ? [callRpc, callRest] : [cases % 2 === 0 ? callRpc : callRest];
          for (const way of ways) {
            const answer = await ask(route, make(idFor(foreign, route, name)), way);
            expect([place, answer]).not.toEqual([place, expect.stringMatching(`^5|${ROW_MARK}`)]);
            const drawn = drawnByTheCaller[place];
            if (drawn) {
              expect([place, answer]).toEqual([place, expect.stringMatching(drawn)]);
              continue;
            }
            expect([place, answer]).toEqual([place, unknown]);
            if (findsNothing.some((known) => known.test(place))) continue;
            if (pathParameters(route).includes(path.slice(1)))
              expect([place, answer]).toEqual([place, expect.stringMatching(/^404 \w+_not_found$/)]);
            else expect([place, answer]).toEqual([place, expect.stringMatching(/^4\d\d \w+$/)]);
          }
        }
      }
    },
  );

  // A token is no id of a row, and some draw the id for something new: below.
  const drawn = 'POST /api/bot/knowledge/files/:knowledgeId';
  const namesRows = (name: string) => name.includes(':') && !name.includes(':token') && name !== drawn;
  longTest.each(Object.keys(plainRoutes).filter(namesRows))('%s', async (name) => {
    const [method = '', address = ''] = name.split(' ');
    const at = async (rows: WorkspaceRows | null) => {
      requests += 1;
      const path = address.replace(/:(\w+)/, (_, field: string) => (rows ? rows[field]! : newId()));
      const { init } = plainRoutes[name]!; // one of its keys
      return shown(await admin.request(path, { ...init, method }));
    };
    cases += 1;
    const answer = await at(foreign);
    expect(answer).toMatch(/^404 \w+_not_found$/);
    expect(answer).toBe(await at(null));
  });

  test('an import takes no id that another workspace has', async () => {
    for (const id of [foreign.importId, foreign.operationId, foreign.removalId]) {
      const answer = await admin.request(`/api/contacts/imports?importId=${id}`, {
        method: 'POST',
        body: JSON.stringify([{ name: 'Ann', phone: '+14155550123' }]),
        headers: { 'content-type': 'application/json' },
      });
      expect(await codeOf(answer)).toMatch(/^contact_import_(begun|not_found)$/);
      cases += 1;
    }
  });

  test('a file of the knowledge is not added under an id that another workspace has', async () => {
    const upload = (knowledgeId: string) =>
      admin.request(`/api/bot/knowledge/files/${knowledgeId}?name=hours.txt`, {
        method: 'POST',
        body: 'We open at nine.',
      });
    expect((await upload(newId())).status).toBe(200);
    const answer = await upload(foreign.knowledgeId!);
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'bot_knowledge_not_found']);
    cases += 1;
    requests += 2;
  });

  test('no row of the other workspace has changed', async () => {
    await api.facts.catchUp();
    expect(await readOther()).toEqual(before);
  });

  test('no row points at a row of another workspace', async () => {
    const { rows: keys } = await api.db.systemPool.query<{ name: string; statement: string }>(
      `SELECT k.conname AS name, format('SELECT count(*)::int AS n FROM %s a JOIN %s b ON %s WHERE a.workspace_id <> b.workspace_id',
                k.conrelid::regclass, k.confrelid::regclass,
                (SELECT string_agg(format('a.%I = b.%I', mine.attname, theirs.attname), ' AND ')
                   FROM unnest(k.conkey, k.confkey) AS pair (here, there)
                   JOIN pg_attribute mine ON mine.attrelid = k.conrelid AND mine.attnum = pair.here
                   JOIN pg_attribute theirs ON theirs.attrelid = k.confrelid AND theirs.attnum = pair.there)) AS statement
         FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0
          AND 2 = (SELECT count(*) FROM pg_attribute w WHERE w.attname = 'workspace_id' AND w.attrelid IN (k.conrelid, k.confrelid))`,
    );
    expect(keys.length).toBeGreaterThan(10);
    for (const { name, statement } of keys)
      expect([name, (await api.db.systemPool.query(statement)).rows[0].n]).toEqual([name, 0]);
  });

  test('a table without its guard is seen by what has forgotten its workspace', async () => {
    const path = `/api/templates/${foreign.templateId}`;
    expect((await admin.get(path)).status).toBe(404);
    await api.db.systemPool.query('ALTER TABLE templates DISABLE ROW LEVEL SECURITY');
    expect((await admin.get(path)).status).toBe(isAsWritten ? 404 : 200);
  });
});

/** Status and code of a refusal, or what stands in an answer, without what differs from one request to the next. */
async function shown(answer: ApiResponse): Promise<string> {
  if (answer.status >= 400) return `${answer.status} ${await codeOf(answer)}`;
  return `${answer.status} ${withoutChance(await answer.text())}`;
}

function withoutChance(text: string): string {
  return text
    .replace(/^\{"json":(.*)\}$/s, '$1')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/Sample \d+/g, 'text')
    .replaceAll(/"version":\d+/g, '"version"');
}
