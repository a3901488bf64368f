import { defaultMessagingSettings } from '@app/domain/settings/messaging-settings';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MessagingTab } from '../../src/features/settings/messaging-tab.tsx';
import { messagingOptions } from '../../src/features/settings/settings-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, find, findAll, press, type } from '../screen.tsx';

beforeAll(() =>
  Promise.all(['settings', 'sending', 'teamwork'].map((name) => loadMessages(name as 'settings'))),
);
// What is shown is kept already; nothing is asked for.
beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => undefined)));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const saved = {
  ...defaultMessagingSettings,
  ...{ version: 3, businessHours: null, sendReadReceipts: true, showTyping: false },
};

function openSettings(address: string, permissions = ['settings:read', 'settings:manage']) {
  queryClient.setQueryData(messagingOptions().queryKey, saved);
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), { permissions } as never);
  const history = showPage(MessagingTab, address);
  return { address: () => history.location.href };
}

const sections = () => [...document.querySelectorAll('details')];
const openOnes = () => sections().flatMap(({ open, id }) => (open ? [id] : []));
const head = (name: string) => document.querySelector<HTMLElement>(`#section-${name} summary`)!;

test('each section says in a line what is set, and the address carries what is open', async () => {
  const { address } = openSettings('/');
  await eventually(() => expect(sections()).toHaveLength(8));
  expect(openOnes()).toEqual([]);
  expect(head('auto-reply').textContent).toContain('No replies are sent: no business hours are set');
  expect(head('read-receipts').textContent).toContain('Blue ticks');
  expect(head('message-limits').textContent).toContain('No limit');
  expect(head('campaign-guard').textContent).toContain(
    'Pauses at low quality, or when 25 % of the last 100 messages failed',
  );
  head('budget').click();
  await eventually(() => expect(address()).toBe('/?section=budget'));
  head('quiet-hours').click();
  await eventually(() => expect(openOnes()).toEqual(['section-quiet-hours', 'section-budget']));
  head('budget').click();
  await eventually(() => expect(address()).toBe('/?section=quiet-hours'));
});

test('what is not saved or wrong is seen while its section is closed, is led to, and can be discarded', async () => {
  openSettings('/?section=message-limits');
  const field = () => document.querySelector<HTMLInputElement>('#section-message-limits input[type=number]')!;
  await eventually(() => expect(openOnes()).toEqual(['section-message-limits']));
  type(field(), '20');
  await eventually(() => expect(head('message-limits').textContent).toContain('Not saved'));
  type(field(), '0');
  await eventually(() => expect(head('message-limits').textContent).toContain('Needs a correction'));
  head('message-limits').click();
  await eventually(() => expect(openOnes()).toEqual([]));
  expect((await find('button', 'Save Settings')).hasAttribute('disabled')).toBe(true);
  press(await find('button', 'Show'));
  await eventually(() => expect(openOnes()).toEqual(['section-message-limits']));
  await eventually(() => expect(document.activeElement).toBe(head('message-limits')));
  press(await find('button', 'Discard changes'));
  await eventually(() => expect(field().value).toBe('10'));
  expect(head('message-limits').textContent).not.toContain('Needs');
  expect(findAll('button', 'Discard changes')).toEqual([]);
});

test('whoever may only read opens sections and changes nothing', async () => {
  openSettings('/?section=budget', ['settings:read']);
  await eventually(() => expect(openOnes()).toEqual(['section-budget']));
  expect(document.querySelector('fieldset')?.disabled).toBe(true);
  expect(findAll('button', 'Save Settings')).toEqual([]);
  press(head('campaign-guard'));
  await eventually(() => expect(openOnes()).toContain('section-campaign-guard'));
});

test('a day has a break, and a day of the calendar has hours of its own', async () => {
  openSettings('/?section=business-hours');
  const fields = (name: string) => [...document.querySelectorAll<HTMLInputElement>(`[aria-label="${name}"]`)];
  press(await find('switch', 'Keep business hours'));
  await eventually(() => expect(head('business-hours').textContent).toContain('5 days a week · 09:00–17:00'));
  press(await find('button', 'Monday: add a break'));
  await eventually(() =>
    expect(fields('Monday: from').map(({ value }) => value)).toEqual(['09:00', '13:00']),
  );
  expect(fields('Monday: to').map(({ value }) => value)).toEqual(['12:00', '17:00']);
  type(fields('Monday: from')[1]!, '11:00');
  await eventually(() => expect(head('business-hours').textContent).toContain('Needs a correction'));
  press(await find('button', 'Monday: remove hours 2'));
  type(document.querySelector<HTMLInputElement>('#section-business-hours input[type=date]')!, '2026-12-24');
  press(await find('button', 'Add day'));
  await eventually(() => expect(head('business-hours').textContent).toContain('1 other day'));
  press(await find('switch', 'Dec 24, 2026'));
  await eventually(() => expect(fields('Dec 24, 2026: to').map(({ value }) => value)).toEqual(['17:00']));
  press(await find('button', 'Remove Dec 24, 2026'));
  await eventually(() => expect(head('business-hours').textContent).not.toContain('other day'));
});
