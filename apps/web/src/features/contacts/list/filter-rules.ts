import type { SegmentCondition, SegmentRules } from '@app/domain/segments/segment-rules';
import { readFilter, type Segment } from '../../../shared/contacts/contacts-queries.ts';

/**
 * What the list shows, as rules that a segment can keep; undefined where nothing is left out, or where rules cannot say it: the people of
 * an import, a campaign or a report, or a segment that asks for one of several groups, searched once more.
 */
export function filterRules(
  { search, filter }: { search: string; filter: string },
  segments: readonly Segment[],
): SegmentRules | undefined {
  const { status, tag, language, segment: segmentId, importId, campaignId, report } = readFilter(filter);
  const segment = segments.find(({ id }) => id === segmentId);
  const narrower: SegmentCondition[] = [
    ...(status ? [{ kind: 'status_is' as const, value: status }] : []),
    ...(language === 'none' ? [{ kind: 'language_unknown' as const, value: '' }] : []),
    ...(language && language !== 'none' ? [{ kind: 'language_is' as const, value: language }] : []),
    ...(tag ? [{ kind: 'has_tag' as const, value: tag }] : []),
    ...(search ? [{ kind: 'search_matches' as const, value: search }] : []),
  ];
  if (narrower.length === 0 || importId || campaignId || report || (segmentId && !segment)) return undefined;
  if (!segment) return { match: 'all', conditions: narrower };
  const { match, conditions, groups = [] } = segment.rules;
  if (match === 'all' || conditions.length + groups.length === 1)
    return { match: 'all', conditions: [...conditions, ...narrower], ...(groups.length > 0 && { groups }) };
  // One of several things becomes a group; groups hold no groups.
  return groups.length > 0
    ? undefined
    : { match: 'all', conditions: narrower, groups: [{ match, conditions }] };
}
