import { googleAnalyticsConnector } from '@app/providers/google-analytics/google-analytics-connector';
import { slackConnector } from '@app/providers/slack/slack-connector';
import { zapierConnector } from '@app/providers/zapier/zapier-connector';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { contractVendors } from './contract-vendors.ts';
import { openVendors } from './open-vendor.ts';

const eventVendors = {
  slack: { kind: slackConnector },
  zapier: { kind: zapierConnector },
  google_analytics: { kind: googleAnalyticsConnector },
};
type EventVendor = keyof typeof eventVendors;

let opened: Awaited<ReturnType<typeof openVendors>>;
beforeAll(async () => {
  opened = await openVendors({ ...contractVendors, ...eventVendors });
});
afterAll(() => opened.close());
beforeEach(async () => {
  const { fixture, sandbox } = opened.sceneOf('slack');
  for (const table of ['integrations', 'contacts']) await fixture.db.systemPool.query(`DELETE FROM ${table}`);
  for (const { clear } of Object.values(contractVendors)) clear(sandbox);
  for (const name of Object.keys(eventVendors)) sandbox[name as EventVendor].reset(); // its own keys
});

/** The values of the sandbox, with what is wrong in them. */
const valuesOf = (name: string, wrong: Record<string, string> = {}) => {
  const { kind } = { ...contractVendors, ...eventVendors }[name as EventVendor]; // one of both
  return { ...kind({ sandboxUrl: opened.sandboxUrl }).sandbox, ...wrong };
};
async function refusalOf(name: string, wrong: Record<string, string> = {}) {
  const { admin } = opened.sceneOf(name);
  const values = valuesOf(name, wrong);
  const answer = await admin.post(`/api/integrations/${name}/connect`, { values }, crypto.randomUUID());
  const { error } = await answer.json<{
    error: { code: string; details: { field?: string; values?: { word: string } } };
  }>();
  return [answer.status, error.code, error.details.field, error.details.values?.word];
}

describe('what is wrong is said at its field, and nothing is stored:', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['shopify', { shop: 'no shop!' }, 'shop', 'account_unknown'],
    ['shopify', { clientSecret: 'wrong' }, 'clientSecret', 'credentials_wrong'],
    ['shopify', { accessToken: 'shpat_wrong' }, 'accessToken', 'credentials_wrong'],
    ['mailchimp', { apiKey: 'without-a-data-centre' }, 'apiKey', 'credentials_wrong'],
    ['mailchimp', { audience: 'none' }, 'audience', 'choice_needed'],
    ['slack', { botToken: 'xoxb-sandbox-wrong' }, 'botToken', 'credentials_wrong'],
    ['zapier', { webhookUrl: 'https://example.com/hooks/catch/1/2/' }, 'webhookUrl', 'account_unknown'],
    ['google_analytics', { measurementId: 'UA-1' }, 'measurementId', 'account_unknown'],
  ])('%s with %j', async (name, wrong, field, word) => {
    expect(await refusalOf(name, wrong)).toEqual([422, 'integration_refused', field, word]);
    expect((await opened.sceneOf(name).read()).status).toBe('disconnected');
  });

  test.each<[keyof typeof contractVendors | 'slack', string]>([
    ['hubspot', 'accessToken'],
    ['salesforce', 'clientSecret'],
    ['shopify', 'clientSecret'],
    ['mailchimp', 'apiKey'],
    ['calendly', 'accessToken'],
    ['slack', 'botToken'],
  ])('%s with what was revoked or has expired', async (name, field) => {
    const { sandbox, read } = opened.sceneOf(name);
    sandbox[name].behaviour.isRevoked = true;
    expect(await refusalOf(name)).toEqual([422, 'integration_refused', field, 'credentials_wrong']);
    expect((await read()).status).toBe('disconnected');
  });
});

describe('credentials that are revoked later', () => {
  longTest.each(Object.entries(contractVendors))(
    'of %s show an error, and Fix Connection goes on where it was',
    async (name, vendor) => {
      const scene = opened.sceneOf(name);
      const { sandbox, admin } = scene;
      const add = (person: string, phone: string) =>
        vendor.add(sandbox, {
          name: person,
          phone,
          email: `${person.slice(0, 3).toLowerCase()}@mail.example`,
        });
      add('Ana Diaz', '+34612345601');
      await scene.connect();
      await scene.untilStill();
      await scene.sync();
      const { mapping } = await scene.read();
      vendor.faults(sandbox).isRevoked = true;
      add('Ben Diaz', '+34612345602');
      expect(await scene.sync()).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
      expect((await refusalOf(name)).slice(0, 2)).toEqual([422, 'integration_refused']);
      expect(await scene.read()).toMatchObject({ status: 'error', isStarted: true, mapping });
      vendor.faults(sandbox).isRevoked = false;
      expect(await scene.connect()).toMatchObject({
        status: 'connected',
        problem: null,
        isStarted: true,
        mapping,
      });
      // What came in the meantime is due at once, without a preview.
      await beginDueRuns(scene.fixture.parts);
      expect(await scene.untilStill()).toMatchObject({ status: 'connected', recordsLinked: 2 });
      const { items } = await (
        await admin.get('/api/contacts?limit=10&sort=name')
      ).json<{ items: { name: string }[] }>();
      expect(items.map((one) => one.name)).toEqual(['Ana Diaz', 'Ben Diaz']);
    },
  );

  test('of Slack show an error at the check, and Fix Connection mends it', async () => {
    const scene = opened.sceneOf('slack');
    await scene.connect();
    scene.sandbox.slack.behaviour.isRevoked = true;
    expect(await scene.act('check')).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
    expect((await refusalOf('slack'))[2]).toBe('botToken');
    scene.sandbox.slack.behaviour.isRevoked = false;
    expect(await scene.connect()).toMatchObject({ status: 'connected', problem: null });
  });

  // Their APIs say yes to everything: the card says so (`integrations.unchecked.<kind>`), and Zapier shows it with the next event.
  test.each(['zapier', 'google_analytics'] as const)('of %s are seen by no check', async (name) => {
    const scene = opened.sceneOf(name);
    await scene.connect();
    scene.sandbox[name].behaviour.isRevoked = true;
    expect(await scene.act('check')).toMatchObject({ status: 'connected', problem: null });
  });
});
