import { expect, test } from 'vitest';
import { readReportPeople, writeReportPeople, type ReportPeople } from './report-filter.ts';

const ID = '0193a6f0-0000-7000-8000-000000000001';
const period = { from: '2026-11-01', to: '2026-11-30', zone: 'Asia/Kolkata' };

test.each<ReportPeople>([
  { metric: 'read', ...period },
  { metric: 'optedOut', ...period, windowDays: 14, campaignId: ID },
  { metric: 'unread', ...period, campaignId: ID, country: 'DE' },
  { metric: 'sent', ...period, templateId: ID, channelId: ID, agentId: ID, teamId: ID, channel: 'rcs' },
  { metric: 'failed', ...period, reason: '131026', campaignId: ID },
  { metric: 'optOuts', ...period, source: 'keyword' },
  { metric: 'runsFailed', ...period, flowId: ID },
])('people are written and read: %j', (people) => {
  expect(readReportPeople(writeReportPeople(people))).toEqual(people);
});

test.each([
  '',
  'read',
  'opened;2026-11-01;2026-11-30;UTC',
  'read;2026-11-30;2026-11-01;UTC',
  'read;2010-01-01;2026-11-01;UTC',
  'read;2026-11-31x;2026-11-30;UTC',
  'read;2026-02-01;2026-02-30;UTC',
  'read;9999-12-01;9999-12-31;UTC',
  'read;2026-11-01;2026-11-30;+05:30',
  'read;2026-11-01;2026-11-30;Mars/Olympus',
  'read;2026-11-01;2026-11-30;UTC;campaignId=none',
  'read;2026-11-01;2026-11-30;UTC;colour=red',
  'optedOut;2026-11-01;2026-11-30;UTC;windowDays=31',
  'failed;2026-11-01;2026-11-30;UTC;reason=',
  `failed;2026-11-01;2026-11-30;UTC;reason=it's`,
])('%j names no people', (text) => {
  expect(readReportPeople(text)).toBeNull();
});
