import { contract } from '@app/contracts/contract';
import { implement } from '@orpc/server';
import { expect, test } from 'vitest';
import { channelsFeature } from '../../channels/channels-feature.ts';
import { mediaFeature } from '../../media/media-feature.ts';
import type { FactConsumer } from '../facts/fact-consumer.ts';
import { gatherFeatures } from './gather-features.ts';
import { every } from '../jobs/define-job.ts';
import type { ApiDependencies, RequestContext } from '../request-context.ts';
import type { FileRoute } from '../http-edge/file-routes.ts';
import type { FileParts, ServerFeature } from './server-feature.ts';

const parts = {} as FileParts; // nothing here looks at it
const consumer: FactConsumer = {
  name: 'reader',
  order: 'none',
  atDepthLimit: 'hear',
  types: null,
  handle: async () => {},
};
const schedule = every(60, { name: 'sweeping', timeoutSeconds: 1, run: async () => {} });
const file: FileRoute = {
  method: 'GET',
  path: '/api/things/:thingId/file',
  access: 'signed-in',
  answer: () => new Response(),
};

const handling = (table: string) => ({
  ...{ tables: { [table]: { leftOut: 'a test' } }, erase: async () => {}, merge: null, unmerge: null },
});

test('joins what the features say, in their order', () => {
  const gathered = gatherFeatures([mediaFeature, channelsFeature, { name: 'inbox', consumers: [consumer] }]);
  expect(Object.keys(gathered.router)).toEqual([
    ...['media', 'channels', 'channelAgents', 'connections', 'numbers'],
  ]);
  expect(gathered.consumers).toEqual([...channelsFeature.consumers, consumer]);
  expect(gathered.listFiles(parts).map(({ path }) => path)).toContain('/api/media/:mediaId/content');
});

test('a part of the contract that nobody implements does not compile', () => {
  const { router } = gatherFeatures([mediaFeature, channelsFeature]);
  // @ts-expect-error: the contract promises more than these two
  const implemented = implement(contract).$context<RequestContext>().router(router);
  expect(Object.keys(implemented)).not.toContain('contacts');
});

test.each<[what: string, first: ServerFeature, second: ServerFeature]>([
  ['name', { name: 'inbox' }, { name: 'inbox' }],
  ['part of the contract', mediaFeature, { name: 'inbox', router: mediaFeature.router }],
  ['consumer', { name: 'inbox', consumers: [consumer] }, { name: 'templates', consumers: [consumer] }],
  ['kind of job', { name: 'inbox', jobs: [schedule] }, { name: 'templates', schedules: [schedule] }],
  [
    'kind of job',
    { name: 'inbox', jobs: [{ ...schedule, name: 'pruning' }] },
    { name: 'templates' }, // the name is one of the upkeep
  ],
  ['address', { name: 'inbox', files: () => [file] }, { name: 'templates', files: () => [file] }],
])('two that say the same %s stop the start', (what, first, second) => {
  expect(() => gatherFeatures([first, second]).listFiles(parts)).toThrow(`the same ${what}`);
});

test.each<[what: string, feature: ServerFeature]>([
  ['that holds nothing about contacts', { name: 'segments', personData: handling('segments') }],
  ['of another feature', { name: 'segments', personData: handling('notes') }],
  ['whose rows nobody erases', { name: 'templates', personData: handling('contacts') }],
])('personal data of a table %s stops the start', (_, feature) => {
  expect(() => gatherFeatures([feature])).toThrow('personal data in one place only');
});

test('what all features do now and then: one that fails leaves the others alone, and is told', async () => {
  const done: string[] = [];
  const works = (name: string) => async () => void done.push(name);
  const failing = () => Promise.reject(new Error('not today'));
  const { jobKinds } = gatherFeatures([
    { name: 'inbox', upkeep: { often: [works('first'), failing] } },
    { name: 'templates', upkeep: { often: [works('second')], seldom: [works('another day')] } },
  ]);
  const [often] = jobKinds;
  const { signal } = new AbortController();
  const run = often!.perform({} as ApiDependencies, {
    id: '1',
    payload: {},
    workspaceId: null,
    signal,
    cause: null,
    from: null,
  });
  await expect(run).rejects.toThrow('not today');
  expect(done).toEqual(['first', 'second']);
});
