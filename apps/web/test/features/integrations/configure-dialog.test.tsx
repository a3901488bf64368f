import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ConfigureDialog } from '../../../src/features/integrations/configure-dialog.tsx';
import type { Integration } from '../../../src/features/integrations/integrations-queries.ts';
import { orpc } from '../../../src/shared/api.ts';
import { loadMessages } from '../../../src/shared/messages.ts';
import { queryClient } from '../../../src/shared/query-client.ts';
import { showPage } from '../../page.tsx';
import { eventually, find, findAll, press, shownText } from '../../screen.tsx';

const full: Integration = {
  ...{ kind: 'hubspot', title: 'HubSpot', category: 'crm', type: 'crm', features: [], fields: [] },
  ...{ syncsContacts: true, takesContacts: true, hearsEvents: false, isStarted: true, status: 'connected' },
  ...{ sandbox: null, webhookUrl: null, setupUrl: null, consent: null, account: null, keyHint: null },
  ...{ problem: 'plan_full', problemDetail: '2', frequency: 'hourly', mapping: [], filter: [] },
  ...{ createsThere: false, createsTag: null, takesOptIns: null, run: null, lastSyncedAt: null },
  ...{ lastDurationMs: null, nextSyncAt: null, checkedAt: null, recordsSynced: 0, recordsLinked: 500 },
  ...{ recordsHeld: 2, errors: 0, version: 1 },
};
const records = [
  { id: '1', externalId: '512', name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example' },
  { id: '2', externalId: '513', name: '', phone: '+34612345602', email: null },
];

beforeAll(() => loadMessages('integrations'));
beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ json: { items: records, nextCursor: null } }));
  const permissions = ['settings:read', 'settings:manage', 'contacts:read'];
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), { permissions } as never);
});

function open(integration: Integration): void {
  const component = () => (
    <ConfigureDialog integration={integration} onFix={() => undefined} onClose={() => undefined} />
  );
  showPage(component);
}

test('records that wait for room of the plan are listed where the note says so, and nobody is asked to check the connection', async () => {
  open(full);
  press(await find('button', 'Show records'));
  expect((await find('tab', /^Waiting/)).getAttribute('aria-selected')).toBe('true');
  const list = await find('list', 'Waiting');
  expect([...list.querySelectorAll('li')].map((one) => one.textContent)).toEqual([
    'Ana Diaz +34612345601 · ana@mail.exampleID 512',
    '+34612345602 ID 513',
  ]);
  expect(shownText()).toContain('The plan has no room for these records.');
  expect(findAll('button', 'Check again')).toEqual([]);
});

test('without such records there is no such part', async () => {
  open({ ...full, problem: null, problemDetail: null, recordsHeld: 0 });
  await find('tab', 'Sync history');
  expect(findAll('tab', /^Waiting/)).toEqual([]);
});

test('before the first sync the dialog begins at its preview, and not at the first field below it', async () => {
  open({ ...full, isStarted: false, problem: null, problemDetail: null, recordsHeld: 0 });
  await find('tab', 'Sync history');
  const dialog = await find('dialog', 'Configure HubSpot');
  await eventually(() => expect(dialog.contains(document.activeElement)).toBe(true));
  expect(document.activeElement?.contains(await find('status'))).toBe(true);
  expect(document.activeElement?.querySelector('input')).toBe(null);
});
