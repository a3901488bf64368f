import type { SegmentRules } from '../segments/segment-rules.ts';
import type { Audience, AudienceFilter, PlannedAudience, PlannedExcept, PlannedFilter } from './audience.ts';

/** The segments that an audience names, each once. */
export function segmentsOf(audience: PlannedAudience): string[] {
  const ids = filtersOf(audience).flatMap(({ segmentId }) => segmentId ?? []);
  return [...new Set(ids)];
}

/** Whether it names the people behind a number of a report, which only those choose who may read reports. */
export function namesReport(audience: PlannedAudience): boolean {
  return filtersOf(audience).some((filter) => 'report' in filter && Boolean(filter.report));
}

/** The audience with the rules of its segments in their place. A segment without rules is gone and names nobody. */
export function resolveSegments(
  audience: PlannedAudience,
  rulesOf: ReadonlyMap<string, SegmentRules>,
): Audience {
  const resolve = (filter: PlannedFilter): AudienceFilter =>
    filter.segmentId === undefined ? filter : { rules: rulesOf.get(filter.segmentId) ?? nobody };
  if ('failedOf' in audience) return audience;
  const { except: planned, ...chosen } = audience;
  const leftOut = planned && { except: resolveLeftOut(planned, rulesOf) };
  if ('filter' in chosen) return { ...chosen, filter: resolve(chosen.filter), ...leftOut };
  if ('anyOf' in chosen) return { ...chosen, anyOf: chosen.anyOf.map(resolve), ...leftOut };
  return { ...chosen, ...leftOut };
}

/** Whom a plan leaves out, with the rules of its segments in their place. */
export function resolveLeftOut(
  except: readonly PlannedExcept[],
  rulesOf: ReadonlyMap<string, SegmentRules>,
): AudienceFilter[] {
  return except.map((one) =>
    one.segmentId === undefined ? one : { rules: rulesOf.get(one.segmentId) ?? nobody },
  );
}

/** Rules without a condition hold for nobody. A segment that is gone must never widen an audience: one that was to be left out is refused with the others, by whoever sends. */
const nobody: SegmentRules = { match: 'all', conditions: [] };

function filtersOf(audience: PlannedAudience): readonly PlannedFilter[] {
  if ('failedOf' in audience) return [];
  const { except = [] } = audience;
  if ('filter' in audience) return [audience.filter, ...except];
  return 'anyOf' in audience ? [...audience.anyOf, ...except] : except;
}
