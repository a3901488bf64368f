import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConsoleApp } from '../src/page/console-view.ts';
import { account, app, number, startSandbox, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
beforeAll(async () => {
  started = await startSandbox();
});
afterAll(() => started.close());

const shown = async (id: string) => {
  const state = await started.control('GET', 'page/state');
  const apps = state.at('console') as ConsoleApp[]; // as the page reads it
  return apps
    .flatMap(({ accounts }) => accounts)
    .flatMap(({ numbers }) => numbers)
    .find((one) => one.id === id);
};
const read = async (id: string, fields: string) =>
  (await started.graph('GET', `${id}?fields=${fields}`)).body;

test('what the platform decides about a number is a switch, and the page shows how each stands', async () => {
  expect(await shown(number)).toMatchObject({
    ...{ quality: 'GREEN', status: 'CONNECTED', health: 'USUAL', limit: 'TIER_UNLIMITED' },
    ...{ throughputMps: null, nameStatus: 'APPROVED', isVerified: true, isRegistered: true, hasPin: false },
  });
  const changes = {
    ...{ quality: 'RED', status: 'FLAGGED', health: 'LIMITED', limit: 'TIER_2K' },
    ...{ throughputMps: 1000, nameStatus: 'PENDING_REVIEW' },
  };
  expect((await started.control('POST', `whatsapp/numbers/${number}`, changes)).status).toBe(200);
  expect(await shown(number)).toMatchObject(changes);
  expect(await read(number, 'quality_rating,status,name_status,throughput,health_status')).toMatchObject({
    ...{ quality_rating: 'RED', status: 'FLAGGED', name_status: 'PENDING_REVIEW' },
    ...{ throughput: { level: 'HIGH' }, health_status: { can_send_message: 'LIMITED' } },
  });
  await started.control('POST', `whatsapp/numbers/${number}`, { health: 'USUAL', status: 'CONNECTED' });
  expect(await read(number, 'health_status')).toMatchObject({
    health_status: { can_send_message: 'AVAILABLE' },
  });
});

test.each([{ nameStatus: 'FINE' }, { health: 'GOOD' }, { quality: 'BLUE' }, { limit: 'TIER_9' }])(
  'what no platform says is refused: %j',
  async (change) => {
    expect((await started.control('POST', `whatsapp/numbers/${number}`, change)).status).toBe(400);
  },
);

test('a number that somebody has just bought waits for its code and a PIN', async () => {
  const made = await started.control('POST', 'whatsapp/numbers', {
    ...{ businessAccountId: account, appId: app, accessToken: 'sandbox-access-token' },
    ...{ displayPhoneNumber: '+44 7700 900333', isVerified: false },
  });
  const id = String(made.at('phoneNumberId'));
  const waiting = { isVerified: false, isRegistered: false, status: 'UNVERIFIED', hasPin: false };
  expect(await shown(id)).toMatchObject(waiting);
  expect((await started.graph('POST', `${id}/register`, { pin: '111111' })).at('error.code')).toBe(133006);
  await started.graph('POST', `${id}/request_code`, { code_method: 'SMS', language: 'en_US' });
  expect((await started.graph('POST', `${id}/verify_code`, { code: '123456' })).status).toBe(200);
  await started.graph('POST', `${id}/register`, { messaging_product: 'whatsapp', pin: '111111' });
  expect(await shown(id)).toMatchObject({
    ...{ isVerified: true, isRegistered: true, status: 'CONNECTED', hasPin: true },
  });
});
