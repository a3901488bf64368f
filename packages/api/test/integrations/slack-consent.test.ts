import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { slackConnector } from '@app/providers/slack/slack-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { quietConnector } from './quiet-connector.ts';

const APP = { clientId: 'sandbox-slack-client', clientSecret: 'sandbox-slack-client-secret' };
const PATH = '/api/integrations/slack/consent';
let sandbox: Sandbox;
let fixture: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const kind = { ...slackConnector({ sandboxUrl: url }), limit: {} };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind, quietConnector]) });
  admin = await fixture.as('admin');
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});
beforeEach(async () => {
  sandbox.slack.reset();
  await fixture.db.systemPool.query('DELETE FROM integrations');
});

type Begun = { address: string; ticket: string };
type Back = { ticket: string; state: string; code: string };
const read = async () => (await admin.get('/api/integrations/slack')).json<Integration>();
const codeOf = async (answer: { json<T>(): Promise<T> }) =>
  (await answer.json<{ error: { code: string; details?: object } }>()).error;
async function begin(as = admin, values: object = APP): Promise<Begun> {
  const answer = await as.post(PATH, { values });
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
  return answer.json<Begun>();
}
/** What the page of the service sends the browser back with. */
async function choose(
  { address, ticket }: Begun,
  choice: 'Allow' | 'Cancel',
): Promise<Back & { error: string | null }> {
  const page = await (await fetch(address)).text();
  const link = new RegExp(`href="([^"]+)">${choice}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const sent = await fetch(new URL(link, address), { redirect: 'manual' });
  const back = new URL(sent.headers.get('location') ?? '');
  expect(back.pathname).toBe('/dashboard/integrations');
  const { searchParams: given } = back;
  return {
    ticket,
    state: given.get('state') ?? '',
    code: given.get('code') ?? '',
    error: given.get('error'),
  };
}
const finish = (as: ApiCaller, { ticket, state, code }: Back) =>
  as.post(`${PATH}/finish`, { ticket, state, code });
const allow = async () => choose(await begin(), 'Allow');
/** A way back that is refused stores nothing. */
async function expectExpired(as: ApiCaller, back: Back) {
  const answer = await finish(as, back);
  expect([answer.status, (await codeOf(answer)).code]).toEqual([409, 'integration_consent_expired']);
}

test('a person allows the app at Slack, and its token is revoked when the connection ends', async () => {
  const begun = await begin();
  // The secret of the app is in neither of them.
  expect(`${begun.address} ${begun.ticket}`).not.toContain(APP.clientSecret);
  expect(new URL(begun.address).searchParams.get('scope')).toContain('chat:write');
  const answer = await finish(admin, await choose(begun, 'Allow'));
  expect(await answer.clone().text()).not.toContain('byConsent');
  expect(await answer.json()).toMatchObject({ status: 'connected', account: 'Barro & Sal' });
  const [token] = [...sandbox.slack.tokens].filter((one) => one !== 'xoxb-sandbox-slack-token');
  expect(await (await admin.get('/api/integrations')).text()).not.toContain(token);
  expect((await read()).keyHint).toBe(`••••${token!.slice(-4)}`);
  expect((await admin.post('/api/integrations/slack/disconnect', {}, crypto.randomUUID())).status).toBe(200);
  expect([...sandbox.slack.tokens]).toEqual(['xoxb-sandbox-slack-token']);
  expect(await read()).toMatchObject({ status: 'disconnected', keyHint: null });
});

test('a pasted token is not revoked, and a service that is away does not hold up a disconnect', async () => {
  const disconnect = async () =>
    (await admin.post('/api/integrations/slack/disconnect', {}, crypto.randomUUID())).status;
  const values = { botToken: 'xoxb-sandbox-slack-token', byConsent: 'yes' };
  const pasted = await admin.post('/api/integrations/slack/connect', { values }, crypto.randomUUID());
  expect(pasted.status).toBe(200);
  expect(await disconnect()).toBe(200);
  expect([...sandbox.slack.tokens]).toEqual(['xoxb-sandbox-slack-token']);
  expect((await finish(admin, await allow())).status).toBe(200);
  sandbox.slack.behaviour.isDown = true;
  expect(await disconnect()).toBe(200);
  expect(await read()).toMatchObject({ status: 'disconnected' });
});

test('a consent that was denied has no code, and the page of a wrong app leads nowhere', async () => {
  expect(await choose(await begin(), 'Cancel')).toMatchObject({ code: '', error: 'access_denied' });
  const { address } = await begin();
  const wrong = new URL(address);
  wrong.searchParams.set('redirect_uri', 'https://evil.example/steal');
  expect((await fetch(wrong)).status).toBe(400);
  expect(await read()).toMatchObject({ status: 'disconnected' });
});

test('a way back that is forged, of another session, of another attempt or too old connects nothing', async () => {
  const back = await allow();
  const other = await begin();
  const otherState = new URL(other.address).searchParams.get('state')!;
  await expectExpired(admin, { ...back, state: otherState });
  await expectExpired(admin, { ...back, state: `${back.state.slice(0, -2)}xx` });
  await expectExpired(admin, { ...back, ticket: other.ticket });
  await expectExpired(admin, { ...back, ticket: `${back.ticket.slice(0, -4)}AAAA` });
  // The same person in another browser, and somebody of another workspace.
  await expectExpired(await signIn(fixture.app, 'admin@acme.test'), back);
  await expectExpired(await fixture.asOther(), back);
  expect((await finish(await fixture.as('manager'), back)).status).toBe(403);
  const elsewhere = await admin.post('/api/integrations/quiet/consent/finish', {
    ...{ ticket: back.ticket, state: back.state, code: back.code },
  });
  expect((await codeOf(elsewhere)).code).toBe('integration_not_available');
  expect(sandbox.slack.tokens.size).toBe(1);
  // The code was not spent by any of them.
  expect((await finish(admin, back)).status).toBe(200);
  // Replayed, also with a new code of another person.
  await expectExpired(admin, back);
  const stolen = await choose(other, 'Allow');
  await expectExpired(admin, { ...back, code: stolen.code });
  const late = await allow();
  fixture.advance(11 * 60_000);
  await expectExpired(admin, late);
});

test('what Slack refuses is said, and nothing is stored', async () => {
  const missing = await admin.post(PATH, { values: { clientId: 'x' } });
  expect([missing.status, await codeOf(missing)]).toMatchObject([422, { code: 'integration_incomplete' }]);
  const wrongSecret = await choose(await begin(admin, { ...APP, clientSecret: 'another' }), 'Allow');
  const refused = await finish(admin, wrongSecret);
  expect(await codeOf(refused)).toMatchObject({
    ...{
      code: 'integration_refused',
      details: { values: { word: 'credentials_wrong', reason: 'bad_client_secret' } },
    },
  });
  const spent = await codeOf(await finish(admin, { ...(await allow()), code: 'spent' }));
  expect(spent).toMatchObject({
    code: 'integration_refused',
    details: { values: { reason: 'invalid_code' } },
  });
  expect(await read()).toMatchObject({ status: 'disconnected', account: null });
});
