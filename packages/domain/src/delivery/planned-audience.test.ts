import { expect, test } from 'vitest';
import type { SegmentRules } from '../segments/segment-rules.ts';
import type { PlannedAudience } from './audience.ts';
import { resolveSegments, segmentsOf } from './planned-audience.ts';

const vip: SegmentRules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
const rules = new Map([['a', vip]]);
const nobody = { rules: { match: 'all', conditions: [] } };

test.each<[string, PlannedAudience, string[]]>([
  ['picked people', { contactIds: ['1'] }, []],
  ['a tag', { filter: { tags: ['vip'] } }, []],
  ['one segment', { filter: { segmentId: 'a' } }, ['a']],
  ['segments beside a tag', { anyOf: [{ segmentId: 'a' }, { tags: ['x'] }, { segmentId: 'b' }] }, ['a', 'b']],
  ['a segment twice', { anyOf: [{ segmentId: 'a' }, { segmentId: 'a' }] }, ['a']],
  ['segments that are left out', { contactIds: ['1'], except: [{ segmentId: 'a' }, { tags: ['x'] }] }, ['a']],
  [
    'one that is chosen and one that is left out',
    { filter: { segmentId: 'a' }, except: [{ segmentId: 'b' }] },
    ['a', 'b'],
  ],
  ['the failed of a campaign', { failedOf: 'c' }, []],
])('%s names its segments', (_, audience, expected) => expect(segmentsOf(audience)).toEqual(expected));

test.each<[string, PlannedAudience, unknown]>([
  [
    'one segment',
    { filter: { segmentId: 'a' }, excludedIds: ['1'] },
    { filter: { rules: vip }, excludedIds: ['1'] },
  ],
  [
    'a segment among others',
    { anyOf: [{ segmentId: 'a' }, { tags: ['x'] }], contactIds: ['2'] },
    { anyOf: [{ rules: vip }, { tags: ['x'] }], contactIds: ['2'] },
  ],
  ['a segment that is gone names nobody', { filter: { segmentId: 'b' } }, { filter: nobody }],
  [
    'a segment that is left out',
    { contactIds: ['1'], except: [{ segmentId: 'a' }, { tags: ['x'] }], restDays: 7 },
    { contactIds: ['1'], except: [{ rules: vip }, { tags: ['x'] }], restDays: 7 },
  ],
  ['what names no segment stays', { filter: {} }, { filter: {} }],
])('%s', (_, audience, expected) => expect(resolveSegments(audience, rules)).toEqual(expected));
