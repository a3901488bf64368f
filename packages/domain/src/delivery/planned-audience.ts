import type { SegmentRules } from '../segments/segment-rules.ts';
import type { Audience, AudienceFilter, PlannedAudience, PlannedFilter } from './audience.ts';

/** The segments that an audience names, each once. */
export function segmentsOf(audience: PlannedAudience): string[] {
  const ids = filtersOf(audience).flatMap(({ segmentId }) => segmentId ?? []);
  return [...new Set(ids)];
}

/** The audience with the rules of its segments in their place. A segment without rules is gone and names nobody. */
export function resolveSegments(
  audience: PlannedAudience,
  rulesOf: ReadonlyMap<string, SegmentRules>,
): Audience {
  const resolve = (filter: PlannedFilter): AudienceFilter =>
    filter.segmentId === undefined ? filter : { rules: rulesOf.get(filter.segmentId) ?? nobody };
  if ('filter' in audience) return { ...audience, filter: resolve(audience.filter) };
  if ('anyOf' in audience) return { ...audience, anyOf: audience.anyOf.map(resolve) };
  return audience;
}

/** Rules without a condition hold for nobody: a segment that is gone must never widen an audience. */
const nobody: SegmentRules = { match: 'all', conditions: [] };

function filtersOf(audience: PlannedAudience): readonly PlannedFilter[] {
  if ('filter' in audience) return [audience.filter];
  return 'anyOf' in audience ? audience.anyOf : [];
}
