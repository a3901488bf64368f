import {
  conditionsOf,
  conditionValues,
  isConditionValid,
  segmentLimits,
  type SegmentCondition,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

/** What the first condition that is not complete still needs, in words. */
export function conditionProblem(rules: SegmentRules): string | undefined {
  const conditions = conditionsOf(rules);
  const index = conditions.findIndex((condition) => !isConditionValid(condition));
  const condition = conditions[index];
  return condition && problemOf(condition, index + 1);
}

/** What the condition with this number still needs. */
export function problemOf(condition: SegmentCondition, n: number): string | undefined {
  if (isConditionValid(condition)) return undefined;
  const value = conditionValues[condition.kind];
  const most = formatNumber(value === 'days_ahead' ? segmentLimits.yearAhead : segmentLimits.days);
  return t(`contacts.segment.needs.${value}`, { n, most });
}
