import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { subscriptionOptions, type Connection } from '../../src/features/connection/connection-queries.ts';
import { SavedTogether } from '../../src/features/connection/unsaved-here.tsx';
import { WebhookPart } from '../../src/features/connection/webhook-part.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { showPage } from '../page.tsx';
import { eventually, find, findAll, press, type } from '../screen.tsx';

beforeAll(() => Promise.all(['connection', 'settings'].map((name) => loadMessages(name as 'settings'))));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
});

const OURS = 'https://shop.example/webhooks/whatsapp/shop';
const OTHERS = 'https://crm.example/hook';
const connection: Connection = {
  ...{ id: '0197aaaa-0000-7000-8000-000000000001', kind: 'whatsapp', version: 4, isConnected: true },
  ...{ isDefault: true, server: 'platform', displayName: '+44 7700 900100', accountName: 'Shop' },
  ...{ values: { phoneNumberId: '1' }, secrets: {}, webhookUrl: OURS, webhookToken: 'verify_word' },
  ...{ webhookProblem: null, stopped: null, trouble: null, endsAt: null, lastSync: null },
};
type Answers = Record<string, () => Response>;
const answered = (json: object) => () => Response.json({ json });
const refused = () => Response.json({ error: { code: 'server_busy', message: '' } }, { status: 503 });
const whole = { state: 'here', address: OURS, appAddress: OURS, missing: [] };
const noCalls = { items: [], lastReceivedAt: null, isSilent: false };

/** What was asked of the server. */
let asked: string[];
beforeEach(() => {
  asked = [];
});

function open(answers: Answers, shown = connection) {
  const fetched = (request: Request) => {
    const [feature, name] = new URL(request.url).pathname.split('/').slice(-2);
    const act = name === 'list' ? `${feature}.list` : (name ?? '');
    asked.push(act);
    return Promise.resolve((answers[act] ?? answered(noCalls))());
  };
  vi.stubGlobal('fetch', fetched);
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['settings:read', 'settings:manage'],
  } as never);
  const component = () => (
    <SavedTogether maySave>
      <WebhookPart connection={shown} />
    </SavedTogether>
  );
  showPage(component);
}

const pressed = { milliseconds: 12, added: [], missing: [], appAddress: OURS, reason: null };
const texts = () => document.body.textContent;

test('an app that is not told of everything is a trouble with its next step', async () => {
  open({ getSubscription: answered({ ...whole, missing: ['account_update', 'account_alerts'] }) });
  await eventually(() => expect(texts()).toContain('The platform sends here, but not everything'));
  expect(texts()).toContain('These webhook fields are missing: account_update, account_alerts');
  expect(texts()).toContain('Press Subscribe: it switches them on and takes nothing away.');
  await find('button', 'Subscribe');
});

test('fields that only another product can add are ticked at the vendor, and the page says where', async () => {
  open({ getSubscription: answered({ ...whole, appAddress: OTHERS, missing: ['messages'] }) });
  await eventually(() =>
    expect(texts()).toContain(`The app’s own address, ${OTHERS}, is of another product`),
  );
  expect((await find('alert')).textContent).toContain('Configuration → Webhook fields');
});

test('what the press switched on is named', async () => {
  open({
    getSubscription: answered(whole),
    subscribe: answered({ ...pressed, added: ['messages'] }),
  });
  press(await find('button', 'Subscribe again'));
  await eventually(() => expect(texts()).toContain('Switched on at your app: messages'));
});

describe('another product that hears now', () => {
  const begin = async () => {
    // Its own number: the same act within a second of another test's would be the second half of a double click.
    open(
      {
        getSubscription: answered({ ...whole, state: 'elsewhere', address: OTHERS }),
        subscribe: answered(pressed),
      },
      { ...connection, id: connection.id.replace(/1$/, '2') },
    );
    press(await find('button', 'Subscribe'));
    return find('alertdialog', 'Have the platform send here instead?');
  };

  test('is named in a question, and goes on when that is answered with no', async () => {
    const dialog = await begin();
    expect(dialog.textContent).toContain(`goes to ${OTHERS} today`);
    press(await find('button', 'Cancel'));
    await eventually(() => expect(findAll('alertdialog')).toHaveLength(0));
    expect(asked).not.toContain('subscribe');
  });

  test('is taken over once somebody says so', async () => {
    const dialog = await begin();
    const [, yes] = dialog.querySelectorAll('button');
    press(yes!);
    await eventually(() => expect(asked).toContain('subscribe'));
  });
});

test('a question that fails ends the waiting, and may be asked again', async () => {
  queryClient.setQueryDefaults(subscriptionOptions(connection.id).queryKey, { retry: false });
  const answers: Answers = {
    getSubscription: refused,
  };
  open(answers);
  await find('button', 'Try again');
  answers['getSubscription'] = answered(whole);
  press(await find('button', 'Try again'));
  await eventually(() => expect(texts()).toContain('The platform sends here'));
});

const call = (id: string, more: object = {}) => ({
  ...{ id: `0197aaaa-0000-7000-8000-0000000000${id}`, kind: 'whatsapp', at: '2026-07-01T10:00:00.000Z' },
  ...{ state: 'received', status: 200, milliseconds: 24, bytes: 40, outline: null, answer: 'OK' },
  ...{ about: [], problems: [] },
  ...{ channelIds: [connection.id], ...more },
});

test('a live test ends with a call of this number alone, can be stopped, and shows what to look at when nothing comes', async () => {
  const after: (() => void)[] = [];
  const { setTimeout: begin } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number) =>
    ms === 60_000 ? after.push(run) : begin(run, ms),
  );
  const calls: object[] = [call('01', { answer: '{"challenge":1}' })];
  open({
    getSubscription: answered(whole),
    'webhookCalls.list': () => answered({ ...noCalls, items: calls })(),
  });
  const newest = async (more: object) => {
    calls.unshift(call(String(10 + calls.length), more));
    await queryClient.invalidateQueries({ queryKey: orpc.webhookCalls.key() });
  };
  press(await find('button', 'Live test'));
  await eventually(() => expect(texts()).toContain('Write a message to +44 7700 900100'));
  await newest({ channelIds: [] });
  await newest({ state: 'signature_wrong', status: 401, channelIds: [], answer: '{"error":{}}' });
  await eventually(() => expect(texts()).toContain('A call arrived and was rejected'));
  expect(texts()).toContain('Waiting for the platform’s call');
  expect(texts()).not.toContain('App mode: Live');
  expect(after).toHaveLength(1);
  after[0]?.();
  await eventually(() => expect(texts()).toContain('App mode: Live'));
  press(await find('button', 'Stop waiting'));
  await eventually(() => expect(texts()).not.toContain('Waiting for the platform’s call'));
  press(await find('button', 'Live test'));
  await newest({ milliseconds: 31 });
  await eventually(() => expect(texts()).toContain('Received, signature right, 31 ms'));
});

test('calls that were taken and calls that were refused can each be looked at alone, with what we answered', async () => {
  const items = [call('01', { state: 'token_wrong', status: 403, answer: '{"error":{}}' }), call('02')];
  open({
    getSubscription: answered(whole),
    'webhookCalls.list': answered({ ...noCalls, items }),
  });
  await eventually(() => expect(findAll('list', 'Last calls')[0]?.children).toHaveLength(2));
  const choice = (await find('combobox', 'Which calls')) as HTMLSelectElement;
  choice.value = 'refused';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  await eventually(() => expect(findAll('list', 'Last calls')[0]?.children).toHaveLength(1));
  expect(findAll('list', 'Last calls')[0]?.textContent).toContain('Our answer (403){"error":{}}');
});

test('Save Settings saves a word that was typed, as the button beside it does, and says when there is nothing to save', async () => {
  open({
    getSubscription: answered(whole),
    'connections.list': answered({ kinds: [{ name: 'whatsapp', webhookToken: 'verifyToken' }], items: [] }),
    update: answered({ ...connection, webhookToken: 'mine', version: 5 }),
  });
  await eventually(() => expect(texts()).toContain('Nothing to save: everything here is saved.'));
  const save = (await find('button', 'Save Settings')) as HTMLButtonElement;
  expect(save.disabled).toBe(true);
  type(await find('textbox', 'Verify Token'), 'mine');
  await eventually(() => expect(save.disabled).toBe(false));
  expect(texts()).toContain('There are changes that are not saved.');
  press(save);
  await eventually(() =>
    expect(shownToasts.read().map(({ title, duration }) => [title, duration])).toEqual([
      ['Settings saved successfully!', 3_000],
    ]),
  );
  expect(asked).toContain('update');
});
