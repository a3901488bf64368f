import { beforeAll, expect, test } from 'vitest';
import { conditionKinds, conditionValues, type SegmentRules } from '@app/domain/segments/segment-rules';
import { loadMessages } from '../../../shared/messages.ts';
import { describeFilter, describeRules } from './audience-words.ts';

beforeAll(() => loadMessages('sending', 'deliveries'));

const campaign = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3e';
const size = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3f';
const samples: Record<string, string> = {
  ...{ words: 'Leeds', number: '12.5', option: 'Gold', yes_no: 'yes' },
  ...{
    text: 'ann',
    tag: 'vip',
    status: 'blocked',
    language: 'de',
    date: '2026-11-21',
    days: '30',
    days_ahead: '7',
    nothing: '',
    campaign,
  },
};

test('each kind of condition has words of its own, with its value in them', () => {
  const phrases = conditionKinds.map((kind) =>
    describeRules({ match: 'all', conditions: [{ kind, value: samples[conditionValues[kind]] ?? '' }] }),
  );
  expect(new Set(phrases).size).toBe(conditionKinds.length);
  for (const phrase of phrases) expect(phrase).not.toMatch(/sending\.|\{|\}|undefined/);
});

test.each<[string, SegmentRules, string]>([
  [
    'all conditions',
    {
      match: 'all',
      conditions: [
        { kind: 'has_tag', value: 'vip' },
        { kind: 'quiet_for', value: '30' },
        { kind: 'not_opted_out', value: '' },
      ],
    },
    'Has the tag “vip”, had no message in the last 30 days, and did not opt out',
  ],
  [
    'any condition',
    {
      match: 'any',
      conditions: [
        { kind: 'created_before', value: '2026-11-21' },
        { kind: 'campaign_read', value: campaign },
      ],
    },
    'Created before Nov 21, 2026 or read the campaign “Spring sale”',
  ],
  [
    'groups',
    {
      match: 'all',
      conditions: [{ kind: 'opted_in', value: '' }],
      groups: [
        {
          match: 'any',
          conditions: [
            { kind: 'campaigns_read_within', value: '30' },
            { kind: 'field_date_yearly_in', value: '7', field: size },
          ],
        },
        { match: 'any', conditions: [{ kind: 'has_tag', value: 'vip' }] },
      ],
    },
    'Opted in, (read a campaign in the last 30 days or Shoe size comes around in 7 days), and has the tag “vip”',
  ],
  [
    'custom fields',
    {
      match: 'all',
      conditions: [
        { kind: 'field_number_above', value: '40.50', field: size },
        { kind: 'field_not_set', value: '', field: campaign.replace('0190', '0191') },
      ],
    },
    'Shoe size is greater than 40.5 and a custom field has no value',
  ],
])('%s', (_, rules, expected) => {
  const names = new Map([
    [campaign, 'Spring sale'],
    [size, 'Shoe size'],
  ]);
  expect(describeRules(rules, names)).toBe(expected);
});

test('a filter of rules is not called everybody', () => {
  expect(describeFilter({})).toBe('Everybody');
  expect(describeFilter({ segmentId: 's1', name: 'Buyers' })).toBe('Segment: Buyers');
  expect(
    describeFilter({ rules: { match: 'all', conditions: [{ kind: 'status_is', value: 'blocked' }] } }),
  ).toBe('Status is blocked');
});

test.each([
  [{ campaignId: campaign }, 'People of “Spring sale”'],
  [{ campaignId: campaign, outcome: 'read' }, 'People of “Spring sale”: read'],
  [{ campaignId: campaign, outcome: 'failed', reason: 'none' }, 'People of “Spring sale”: failed'],
  [{ campaignId: campaign, outcome: 'failed', reason: '999' }, 'People of “Spring sale”: failed – code 999'],
  [{ campaignId: size, outcome: 'cancelled' }, 'People of a campaign: left out'],
] as const)('the people of a campaign are named by it, by outcome and by reason: %o', (filter, words) => {
  expect(describeFilter(filter, new Map([[campaign, 'Spring sale']]))).toBe(words);
});

test('a reason that is known stands in words', () => {
  const filter = { campaignId: campaign, outcome: 'failed', reason: '131026' } as const;
  const words = describeFilter(filter, new Map([[campaign, 'Spring sale']]));
  expect(words).toMatch(/^People of “Spring sale”: failed – [A-Z].* /);
  expect(words).not.toContain('131026');
});
