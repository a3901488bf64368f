import {
  conditionValues,
  isConditionValid,
  segmentLimits,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

/** What the first condition that is not complete still needs, in words. */
export function conditionProblem({ conditions }: SegmentRules): string | undefined {
  const index = conditions.findIndex((condition) => !isConditionValid(condition));
  const condition = conditions[index];
  if (!condition) return undefined;
  const value = conditionValues[condition.kind];
  return t(`contacts.segment.needs.${value}`, { n: index + 1, most: formatNumber(segmentLimits.days) });
}
