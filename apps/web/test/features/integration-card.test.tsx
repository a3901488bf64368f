import { noCounts } from '@app/domain/integrations/integration-rules';
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IntegrationCard } from '../../src/features/integrations/integration-card.tsx';
import { findIntegrations, type Integration } from '../../src/features/integrations/integrations-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { ConfirmProvider } from '../../src/ui/overlays/confirm.tsx';
import { eventually, findAll, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('integrations'));
beforeEach(() => allow(['settings:read', 'settings:manage']));

const hubspot: Integration = {
  ...{ kind: 'hubspot', title: 'HubSpot', category: 'crm', type: 'crm' },
  ...{
    features: ['contactSync', 'twoWay', 'fieldMapping', 'optOuts', 'webhooks'],
    syncsContacts: true,
    takesContacts: true,
    hearsEvents: false,
  },
  ...{
    fields: [],
    sandbox: null,
    webhookUrl: null,
    setupUrl: null,
    consent: null,
    status: 'connected',
    problem: null,
    problemDetail: null,
  },
  ...{ account: '4242', keyHint: null, frequency: 'hourly', mapping: [], filter: [], createsThere: false },
  ...{
    createsTag: null,
    takesOptIns: null,
    isStarted: true,
    run: null,
    lastSyncedAt: null,
    lastDurationMs: null,
  },
  ...{
    nextSyncAt: null,
    checkedAt: null,
    recordsSynced: 12,
    recordsLinked: 9,
    recordsHeld: 0,
    errors: 2,
    version: 1,
  },
};

function allow(permissions: string[]): void {
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), { permissions } as never);
}

function open(changes: Partial<Integration> = {}): string[] {
  const opened: string[] = [];
  show(
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <ul>
          <IntegrationCard
            integration={{ ...hubspot, ...changes }}
            onOpen={(dialog) => opened.push(dialog)}
          />
        </ul>
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  return opened;
}

const buttons = () =>
  findAll('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);

describe('a card', () => {
  test('shows three tags and how many more there are', async () => {
    open();
    await eventually(() => expect(shownText()).toContain('+2 more'));
    expect(shownText()).not.toContain('Opt-outs');
  });

  test.each<[string, Partial<Integration>, string[]]>([
    ['connected', {}, ['Configure HubSpot', 'Sync HubSpot now', 'Disconnect']],
    ['before the first sync', { isStarted: false }, ['Review first sync', 'Disconnect']],
    ['syncing', { status: 'syncing' }, ['Configure HubSpot', 'Stop the sync of HubSpot', 'Disconnect']],
    [
      'with an error',
      { status: 'error', problem: 'credentials_wrong' },
      ['Fix Connection', 'Configure HubSpot', 'Disconnect'],
    ],
    ['disconnected', { status: 'disconnected' }, ['Connect HubSpot']],
  ])('%s offers what can be done', async (_, changes, offered) => {
    open(changes);
    await eventually(() => expect(shownText()).toContain('HubSpot'));
    expect(buttons()).toEqual(offered);
  });

  const run: NonNullable<Integration['run']> = {
    ...{ id: 'r', trigger: 'person', status: 'running', counts: { ...noCounts(), read: 5 }, sample: [] },
    ...{ problem: null, problemDetail: null, resumesAt: null, startedBy: '' },
    ...{ startedAt: '2026-11-28T08:00:00Z', endedAt: null },
  };
  test.each<[string, Partial<Integration>, string]>([
    ['connected', {}, 'Never synced · 9 records linked to contacts · 2 errors need attention'],
    [
      'syncing',
      { status: 'syncing', run },
      'This sync: 5 records read · 9 records linked to contacts · 2 errors need attention',
    ],
    [
      'syncing what its preview read',
      { status: 'syncing', run: { ...run, counts: { ...noCounts(), created: 3, failed: 1 } } },
      'This sync: 4 records processed · 9 records linked to contacts · 2 errors need attention',
    ],
    [
      'reading its preview',
      { status: 'syncing', run: { ...run, trigger: 'preview' }, recordsLinked: 1, errors: 1 },
      'Preview: 5 records read · 1 record linked to a contact · 1 error needs attention',
    ],
    [
      'that hears of events',
      { syncsContacts: false, hearsEvents: true, errors: 0 },
      'No event sent yet · Events sent: 12',
    ],
  ])('%s says what its figures count', async (_, changes, said) => {
    open(changes);
    await eventually(() => expect(shownText()).toContain(said));
  });

  test('says what is wrong with the next step', async () => {
    open({ status: 'error', problem: 'credentials_wrong', problemDetail: 'Authentication failed' });
    const said = 'The key is wrong or was revoked. Enter a new one. (Authentication failed)';
    await eventually(() => expect(shownText()).toContain(said));
  });

  test('offers nothing but a look to those who may not change settings', async () => {
    allow(['settings:read']);
    const opened = open();
    await eventually(() => expect(buttons()).toEqual(['Configure HubSpot']));
    press(findAll('button')[0]!);
    expect(opened).toEqual(['configure']);
  });
});

test('search reads name and description, and a category narrows it', () => {
  const slack: Integration = { ...hubspot, kind: 'slack', title: 'Slack', category: 'communication' };
  const find = (search: string, category: '' | 'crm' = '') =>
    findIntegrations([hubspot, slack], { search, category }).map(({ kind }) => kind);
  expect(find('')).toEqual(['hubspot', 'slack']);
  expect(find('HANDOFF')).toEqual(['slack']);
  expect(find('slack', 'crm')).toEqual([]);
});
