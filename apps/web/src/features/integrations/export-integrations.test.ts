import { expect, test } from 'vitest';
import { writeIntegrations } from './export-integrations.ts';
import type { Integration } from './integrations-queries.ts';

const NOW = '2026-05-01T08:00:00.000Z';
const hubspot = {
  ...{ kind: 'hubspot', title: 'HubSpot', category: 'crm', status: 'error', syncsContacts: true },
  ...{ account: '=HYPERLINK("http://evil.example")', keyHint: '••••1234', frequency: 'daily' },
  ...{ problem: 'service_rejected', problemDetail: 'a;+1+cmd|x', nextSyncAt: NOW, lastSyncedAt: NOW },
  ...{ lastDurationMs: 900, recordsSynced: 12, errors: 2 },
} as Integration; // the parts that are exported, and the hint that must not be
const slack = {
  ...{ ...hubspot, title: 'Slack', status: 'connected', syncsContacts: false, account: 'Barro & Sal' },
  ...{ problem: null, problemDetail: null },
} as Integration;

test('a table has a line for each service, and no cell is run as a formula', () => {
  const [header, ...lines] = writeIntegrations([hubspot, slack], 'csv', NOW).trimEnd().split('\r\n');
  expect(header).toBe(
    '\ufeffname,category,status,account,problem,problemDetail,frequency,nextSync,lastSync,lastDurationMs,recordsSynced,errors',
  );
  expect(lines).toEqual([
    `HubSpot,crm,error,"'=HYPERLINK(""http://evil.example"")",service_rejected,a;'+1+cmd|x,daily,${NOW},${NOW},900,12,2`,
    `Slack,crm,connected,Barro & Sal,,,,,${NOW},900,12,2`,
  ]);
  expect(writeIntegrations([], 'csv', NOW)).toBe(`${header}\r\n`);
});

test('JSON says the same with its date, and neither has a part of a key', () => {
  const file = JSON.parse(writeIntegrations([hubspot], 'json', NOW));
  expect(file).toMatchObject({ exportDate: NOW, integrations: [{ name: 'HubSpot', recordsSynced: 12 }] });
  for (const format of ['csv', 'json'] as const)
    expect(writeIntegrations([hubspot, slack], format, NOW)).not.toContain('1234');
});
