import {
  conditionValues,
  type SegmentCondition,
  type SegmentRules,
} from '@app/domain/contacts/segment-rules';
import { formatDate, formatList } from '../formats.ts';
import { t } from '../messages.ts';
import type { ChosenFilter } from './audience-selection.ts';

type CampaignNames = ReadonlyMap<string, string>;

/** One part of an audience, such as “Tag: vip”. */
export function describeFilter(filter: ChosenFilter): string {
  if (filter.segmentId !== undefined) return t('sending.audience.bySegment', { name: filter.name });
  const { search, tags, status, rules } = filter;
  const parts = [
    ...(tags ?? []).map((tag) => t('sending.audience.byTag', { tag })),
    ...(search ? [t('sending.audience.bySearch', { search })] : []),
    ...(status ? [t('sending.audience.byStatus', { status: t(`sending.rule.status.${status}`) })] : []),
    ...(rules ? [describeRules(rules)] : []),
  ];
  return parts.length === 0 ? t('sending.audience.everybody') : parts.join(' · ');
}

/** What the rules of a segment say, as one phrase: “has the tag “vip” and has not opted out”. */
export function describeRules(
  { match, conditions }: SegmentRules,
  campaignNames: CampaignNames = new Map(),
): string {
  const phrases = conditions.map((condition) => describeCondition(condition, campaignNames));
  const sentence = formatList(phrases, match === 'all' ? 'and' : 'or');
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}

function describeCondition({ kind, value }: SegmentCondition, campaignNames: CampaignNames): string {
  return t(`sending.rule.${kind}`, { value: describeValue(kind, value, campaignNames) });
}

function describeValue(kind: SegmentCondition['kind'], value: string, campaignNames: CampaignNames) {
  switch (conditionValues[kind]) {
    case 'date':
      // A day of the rules is one of UTC; noon keeps it the same day on most clocks.
      return formatDate(`${value}T12:00:00Z`);
    case 'days':
      return Number(value);
    case 'status':
      return t(value === 'blocked' ? 'sending.rule.status.blocked' : 'sending.rule.status.active');
    case 'campaign': {
      const name = campaignNames.get(value);
      return name === undefined ? t('sending.rule.otherCampaign') : t('sending.rule.campaign', { name });
    }
    default:
      return value;
  }
}
