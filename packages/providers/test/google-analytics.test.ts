import type { ConnectorEvent } from '@app/domain/integrations/event-connector';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { googleAnalyticsConnector } from '../src/google-analytics/google-analytics-connector.ts';
import { clientIdOf } from '../src/google-analytics/google-analytics-event.ts';
import { openConnectorScene } from './connector-scene.ts';

const { sandbox, open, close } = await openConnectorScene(googleAnalyticsConnector);
afterAll(close);
beforeEach(() => sandbox.google_analytics.reset());

const collected = () => [...sandbox.google_analytics.events.newestFirst()].toReversed();
const asked = () => [...sandbox.google_analytics.calls.newestFirst()].map(({ path }) => path).toReversed();
const CONTACT = { id: '0193a6f0-0000-7000-8000-00000000000a', name: 'Ana Diaz', phone: '+34612345678' };
function event(type: string, more: Partial<ConnectorEvent> = {}): ConnectorEvent {
  return {
    ...{ id: '0193a6f0-0000-7000-8000-0000000000e1', type, occurredAt: new Date().toISOString(), data: {} },
    ...{ contact: null, conversation: null, messages: [], campaign: null, language: 'en' },
    ...{ target: null, hookUrl: null, mayBeThere: false, ...more },
  };
}
const campaign = {
  ...{ id: '0193a6f0-0000-7000-8000-0000000000c1', name: 'Spring Sale', link: 'https://app.test' },
  channelKind: 'whatsapp',
};
const contact = { ...CONTACT, email: 'ana@shop.example', tags: ['vip'] };
const send = (one: ConnectorEvent) => open().events!.send(one); // it has some

test('a measurement ID of the right form is accepted, and the vendor is asked for no more than the form', async () => {
  expect(await open().check()).toEqual({ state: 'healthy', account: 'G-SANDBOX01' });
  expect(await open({ measurementId: ' g-sandbox01 ' }).check()).toMatchObject({ state: 'healthy' });
  expect(await open({ measurementId: 'UA-1234-1' }).check()).toMatchObject({ problem: 'account_unknown' });
  expect(asked()).toEqual(['/google_analytics/debug/mp/collect', '/google_analytics/debug/mp/collect']);
  expect(collected()).toEqual([]);
  sandbox.google_analytics.behaviour.isDown = true;
  expect(await open().check()).toMatchObject({ problem: 'service_away' });
});

test('a campaign is an event with its parameters and counts', async () => {
  const data = { name: 'Spring Sale', total: 120, sent: 110, failed: 6, cancelled: 4, unknown: 0 };
  expect(await send(event('campaign.completed', { data, campaign }))).toEqual({ outcome: 'sent' });
  expect(collected()).toMatchObject([
    {
      name: 'msg_campaign_completed',
      userId: null,
      params: {
        ...{ campaign_id: campaign.id, campaign: 'spring-sale', source: 'whatsapp', medium: 'messaging' },
        ...{ sent: 110, total: 120, failed: 6, engagement_time_msec: 1 },
      },
    },
  ]);
});

test('results of a campaign are one event for each count that grew', async () => {
  expect(await send(event('campaign.results', { campaign, data: { delivered: 40, read: 7 } }))).toMatchObject(
    {
      outcome: 'sent',
    },
  );
  const all = { campaign_id: campaign.id, campaign: 'spring-sale' };
  expect(collected()).toMatchObject([
    { name: 'msg_delivered', params: { ...all, value: 40 } },
    { name: 'msg_read', params: { ...all, value: 7 } },
  ]);
  expect(asked()).toHaveLength(1);
});

test('what a person does has the same client each time, and nothing that says who it is', async () => {
  const messages = [{ id: 'm', text: 'My secret text', at: new Date().toISOString() }];
  await send(event('messages.arrived', { contact, messages }));
  await send(event('consents.said', { contact, data: { kind: 'opt_out' } }));
  await send(event('contact.created', { contact }));
  const events = collected();
  expect(events.map(({ name }) => name)).toEqual(['msg_replied', 'msg_optout', 'generate_lead']);
  expect(new Set(events.map(({ clientId }) => clientId))).toEqual(new Set([clientIdOf(contact.id)]));
  expect(events[0]).toMatchObject({
    userId: contact.id,
    clientId: expect.stringMatching(/^\d{10}\.\d{10}$/),
  });
  for (const secret of [contact.name, contact.phone, contact.email, 'secret text', 'vip'])
    expect(JSON.stringify(events)).not.toContain(secret);
});

test('a test is looked at by the vendor first, and then seen in real time', async () => {
  expect(await send(event('webhook.test'))).toEqual({ outcome: 'sent' });
  expect(asked()).toEqual(['/google_analytics/debug/mp/collect', '/google_analytics/mp/collect']);
  expect(collected()).toMatchObject([{ name: 'msg_test' }]);
});

test('long names are cut, what has no meaning there is skipped, and what is too old is refused', async () => {
  const long = { ...campaign, name: 'x'.repeat(300) };
  expect(await send(event('campaign.started', { campaign: long }))).toEqual({ outcome: 'sent' });
  expect(collected()).toHaveLength(1);
  expect(await send(event('contacts.tags_changed', { contact }))).toEqual({ outcome: 'skipped' });
  const occurredAt = new Date(Date.now() - 73 * 3_600_000).toISOString();
  expect(await send(event('campaign.started', { campaign, occurredAt }))).toMatchObject({
    outcome: 'refused',
  });
});

test('a limit and a break are waited for', async () => {
  Object.assign(sandbox.google_analytics.behaviour, { rejectNext: 1, retryAfterSeconds: 1 });
  const busy = { outcome: 'failed', problem: 'service_busy', retryAfterMs: 1_000, isUnknown: false };
  expect(await send(event('campaign.started', { campaign }))).toMatchObject(busy);
  sandbox.google_analytics.behaviour.failNext = 1;
  const away = { outcome: 'failed', problem: 'service_away', isUnknown: false };
  expect(await send(event('campaign.started', { campaign }))).toMatchObject(away);
});
