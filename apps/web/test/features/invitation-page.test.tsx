import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { InvitationPage } from '../../src/features/auth/invitation-page.tsx';
import { LoginPage } from '../../src/features/auth/login-page.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, press, show, shownText, type } from '../screen.tsx';

const invitation = {
  ...{ email: 'noor@acme.test', role: 'agent', workspaceName: 'Second shop', invitedByName: 'Ada Real' },
};
const session = {
  ...{ user: { id: 'noor', language: null }, workspace: { id: 'first' }, permissions: [] },
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
};
const refused = (code: string, status = 409) => Response.json({ error: { code } }, { status });

let token = '';
let sent: [string, unknown][] = [];
/** What the server says, by the end of the address; the first of several answers first. */
let answers: Record<string, (() => Response)[]> = {};
beforeAll(() => Promise.all([loadMessages('auth', 'account-access'), loadMessages('ui', 'common')]));
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (address: string, init?: { method: string; body: string }) => {
    const name = address.split('/').at(-1)!; // an address has one
    if (init?.method === 'POST') sent.push([name, JSON.parse(init.body)]);
    const [next, ...later] = answers[name] ?? [];
    if (!next) return Response.json(null);
    if (later.length > 0) answers[name] = later;
    return next();
  });
  // Each its own: what was read a moment ago is not read again.
  token = crypto.randomUUID();
  history.replaceState(null, '', `/invitation?token=${token}`);
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  answers = {};
});

const asks = (...accounts: string[]) => {
  answers['read-invitation'] = accounts.map((account) => () => Response.json({ ...invitation, account }));
};
const sentTo = (name: string) => sent.filter(([to]) => to === name).map(([, body]) => body);

test('who is signed in with the invited account joins with it by one press, and sends nothing else of it', async () => {
  asks('own');
  answers['accept-invitation'] = [
    () => refused('server_busy', 503),
    () => Response.json({ session: { workspace: { id: 'the-workspace' } } }),
  ];
  sessionStorage.setItem('invitation', token);
  show(<InvitationPage />);
  await eventually(() => expect(shownText()).toContain('You join with your account noor@acme.test'));
  expect(shownText()).toContain('Ada Real invites you to Second shop as Agent.');
  expect(document.querySelector('input')).toBeNull();
  press(await find('button', 'Join'));
  await eventually(() => expect(shownText()).toContain('The server is busy'));
  press(await find('button', 'Join'));
  await eventually(() => expect(sessionStorage.getItem('invitation')).toBeNull());
  expect(sentTo('accept-invitation')).toEqual([{ token }, { token }]);
});

test('who is not signed in comes back to the invitation from the sign-in, which knows the address', async () => {
  asks('signed-out', 'own');
  const view = show(<InvitationPage />);
  press(await find('button', 'Sign in'));
  await eventually(() => expect(location.pathname + location.search).toBe('/login?redirect=%2Finvitation'));
  view(<LoginPage />);
  const field = (type: string) => document.querySelector<HTMLInputElement>(`input[type="${type}"]`)!;
  await eventually(() => expect(field('email').value).toBe('noor@acme.test'));
  answers['email'] = [() => Response.json({ session })];
  type(field('password'), 'a password');
  press(await find('button', 'Sign in'));
  await eventually(() => expect(location.pathname + location.search).toBe('/invitation'));
  view(<InvitationPage />);
  await find('button', 'Join');
  expect(sentTo('read-invitation')).toEqual([{ token }, { token }]);
});

test('who is signed in with another account signs out first', async () => {
  asks('other', 'signed-out');
  show(<InvitationPage />);
  await eventually(() => expect(shownText()).toContain('you are signed in with another account'));
  press(await find('button', 'Sign out'));
  await find('button', 'Sign in');
  expect(sentTo('sign-out')).toHaveLength(1);
});

test('a session that ended since is seen when they join', async () => {
  asks('own', 'signed-out');
  answers['accept-invitation'] = [() => refused('invitation_signed_out')];
  show(<InvitationPage />);
  press(await find('button', 'Join'));
  expect(await find('button', 'Sign in')).toBeDefined();
});
