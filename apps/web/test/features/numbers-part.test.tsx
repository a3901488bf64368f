import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../src/features/connection/connection-queries.ts';
import { numbersOptions, type AccountNumber } from '../../src/features/connection/numbers-queries.ts';
import { NumbersPart } from '../../src/features/connection/numbers-part.tsx';
import { ProfilePanel } from '../../src/features/settings/profile-panel.tsx';
import { profileStateOptions } from '../../src/features/settings/settings-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, find, findAll, press, shownText } from '../screen.tsx';

beforeAll(() =>
  Promise.all(['connection', 'settings', 'deliveries'].map((name) => loadMessages(name as 'settings'))),
);
let answer: () => Promise<Response>;
beforeEach(() => {
  answer = () => new Promise(() => undefined);
  vi.stubGlobal('fetch', () => answer());
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const connection = { id: '11111111-1111-4111-8111-111111111111', isConnected: true } as Connection;
const number: AccountNumber = {
  ...{ address: '1', displayNumber: '+44 7700 900100', name: 'Shop', quality: 'green' },
  ...{ status: 'connected', nameStatus: 'approved', codeStatus: 'verified', maySend: true, hasPin: true },
  ...{ peopleADay: 2000, messagesPerSecond: 80 },
  channel: {
    ...{ id: connection.id, version: 1, isConnected: true, isDefault: true },
    ...{ messagesPerSecond: 80, health: null },
  },
};
const profile = {
  ...{ category: 'retail', about: 'We sell shoes', address: '', description: '', email: '' },
  ...{ websites: [], logo: null },
} as const;
const push = {
  ...{ channel: { kind: 'whatsapp', displayName: '+44 7700 900100' }, state: 'done' as const },
  ...{ code: null, reason: null, keepsAbout: false, changedAt: '2026-05-01T10:00:00.000Z' },
};

function open(page: () => React.ReactNode, permissions: string[]) {
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), { permissions } as never);
  showPage(page);
}
function openNumbers(
  changes: Partial<AccountNumber> = {},
  permissions = ['settings:read', 'settings:manage'],
) {
  queryClient.setQueryData(numbersOptions(connection.id).queryKey, { items: [{ ...number, ...changes }] });
  open(() => <NumbersPart connection={connection} />, permissions);
  return find('list', 'Phone Numbers');
}

test.each<[Partial<AccountNumber>, string[]]>([
  [{ maySend: false, status: 'restricted' }, ['Restricted by WhatsApp', 'Quality high']],
  [{ maySend: false, status: 'flagged', quality: 'red' }, ['Flagged for low quality', 'Quality low']],
  [{ maySend: false, status: 'something_new' }, ['something_new']],
  [{ nameStatus: 'pending_review' }, ['Name in review']],
  [{ nameStatus: 'declined' }, ['Name declined']],
  [{ channel: { ...number.channel!, health: 'limited' } }, ['Sending limited']],
])('a number of which the platform says %j shows it in words', async (changes, words) => {
  const list = await openNumbers(changes);
  for (const word of words) expect(list.textContent).toContain(word);
});

test('a name that is approved and a number that may send say nothing more', async () => {
  const list = await openNumbers();
  expect(list.textContent).not.toMatch(/Name (in review|declined)|Sending/);
});

test('who only reads sees the profile of a number and can change nothing', async () => {
  queryClient.setQueryData(orpc.settings.getNumberProfile.queryKey({ input: { channelId: connection.id } }), {
    version: 1,
    isOwn: false,
    profile,
    push,
  } as never);
  await openNumbers({}, ['settings:read']);
  expect(findAll('button').map((one) => one.textContent)).toEqual(['Business profile']);
  press(await find('button', 'Business profile'));
  await find('dialog', 'Business profile of +44 7700 900100');
  expect(shownText()).toContain('You can see these settings');
  const fields = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] input[type=email]')];
  expect(fields.map((field) => field.matches(':disabled'))).toEqual([true]);
  expect(findAll('button', 'Save profile')).toEqual([]);
});

test('a profile that cannot be read says so and can be asked for again', async () => {
  answer = () =>
    Promise.resolve(
      new Response(
        JSON.stringify({ defined: true, code: 'channel_not_found', status: 404, message: 'gone' }),
        {
          status: 404,
          headers: { 'content-type': 'application/json' },
        },
      ),
    );
  await openNumbers();
  press(await find('button', 'Business profile'));
  expect(await find('button', 'Try again')).toBeTruthy();
});

test('the profile of the workspace says of each number without its own whether it shows it, and what stays there', async () => {
  const one = (name: string, state: string, isOwn = false) => ({
    ...push,
    ...{ channelId: name, isOwn, state, channel: { kind: 'whatsapp', displayName: name } },
  });
  queryClient.setQueryData(profileStateOptions().queryKey, {
    ...push,
    numbers: [
      { ...one('+1', 'done'), keepsAbout: true },
      { ...one('+2', 'refused'), code: '190' },
      one('+3', 'done', true),
    ],
  } as never);
  open(() => <ProfilePanel onTake={() => {}} />, ['settings:read']);
  const list = await find('list', 'What is saved here is handed to these numbers:');
  expect([...list.children].map(({ textContent }) => textContent)).toEqual(['+1Shown', '+2Rejected']);
  await eventually(() => expect(shownText()).toContain('With a profile of their own: +3.'));
  expect(shownText()).toContain('The access token has expired or was revoked.');
});
