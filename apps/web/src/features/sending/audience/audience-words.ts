import {
  conditionValues,
  type ConditionGroup,
  type SegmentCondition,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import { NO_REASON } from '@app/domain/campaigns/recipient-outcome';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { formatDay, formatExact, formatList } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { reasonWords } from '../delivery-words.ts';
import type { AudienceSelection, ChosenFilter } from './audience-selection.ts';

/** What ids in rules are called: campaigns by their names, custom fields by their labels. */
export type RuleNames = ReadonlyMap<string, string>;

/** One part of an audience, such as “Tag: vip”. */
export function describeFilter(filter: ChosenFilter, names: RuleNames = new Map()): string {
  if (filter.segmentId !== undefined) return t('sending.audience.bySegment', { name: filter.name });
  const { search, tags, status, language, rules, importId, campaignId, report } = filter;
  const parts = [
    ...(importId ? [t('sending.audience.byImport')] : []),
    ...(campaignId ? [campaignWords(filter, names.get(campaignId))] : []),
    ...(report ? [t('sending.audience.byReport')] : []),
    ...(language ? [languageWords(language)] : []),
    ...(tags ?? []).map((tag) => t('sending.audience.byTag', { tag })),
    ...(search ? [t('sending.audience.bySearch', { search })] : []),
    ...(status ? [t('sending.audience.byStatus', { status: t(`sending.rule.status.${status}`) })] : []),
    ...(rules ? [describeRules(rules)] : []),
  ];
  return parts.length === 0 ? t('sending.audience.everybody') : parts.join(' · ');
}

/** Of which campaign, with which outcome and why: “People of “Spring sale”: failed – …”. */
function campaignWords({ outcome, reason }: AudienceFilter, name: string | undefined): string {
  const people =
    name === undefined ? t('sending.audience.byCampaign') : t('sending.audience.ofCampaign', { name });
  const part = outcome ? t('sending.audience.ofOutcome', { people, outcome }) : people;
  if (reason === undefined || reason === NO_REASON) return part;
  return `${part} – ${reasonWords(reason) ?? t('sending.audience.reasonCode', { code: reason })}`;
}

function languageWords(language: string): string {
  return language === 'none'
    ? t('sending.audience.byNoLanguage')
    : t('sending.audience.byLanguage', { language: languageName(language) });
}

/** All parts of a choice, and whom it leaves out. */
export function describeSelection(selection: AudienceSelection, names: RuleNames = new Map()): string {
  const { filters, picked, excluded, except, restDays } = selection;
  return [
    ...filters.map((filter) => describeFilter(filter, names)),
    ...(picked.size > 0 ? [t('sending.audience.picked', { n: picked.size })] : []),
    ...(excluded.size > 0 ? [t('sending.audience.excluded', { n: excluded.size })] : []),
    ...except.map((filter) => t('sending.leftOut.part', { part: describeFilter(filter) })),
    ...(restDays === null ? [] : [t('sending.leftOut.restPart', { n: restDays })]),
  ].join(' · ');
}

/** What the rules of a segment say, as one phrase: “has the tag “vip” and has not opted out”. */
export function describeRules({ groups = [], ...rules }: SegmentRules, names: RuleNames = new Map()): string {
  const phrases = groups.map((group) => {
    const phrase = joinPhrases(group.match, describeConditions(group, names));
    return group.conditions.length === 1 ? phrase : t('sending.rule.group', { conditions: phrase });
  });
  const sentence = joinPhrases(rules.match, [...describeConditions(rules, names), ...phrases]);
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}

function joinPhrases(match: ConditionGroup['match'], phrases: readonly string[]): string {
  return formatList([...phrases], match === 'all' ? 'and' : 'or');
}

function describeConditions({ conditions }: ConditionGroup, names: RuleNames): string[] {
  return conditions.map((condition) => describeCondition(condition, names));
}

function describeCondition({ kind, value, field }: SegmentCondition, names: RuleNames): string {
  return t(`sending.rule.${kind}`, {
    value: describeValue(kind, value, names),
    field: names.get(field ?? '') ?? t('sending.rule.otherField'),
  });
}

function describeValue(kind: SegmentCondition['kind'], value: string, names: RuleNames) {
  switch (conditionValues[kind]) {
    case 'date':
      return formatDay(value);
    case 'language':
      return languageName(value);
    case 'days':
    case 'days_ahead':
      return Number(value);
    case 'status':
      return t(value === 'blocked' ? 'sending.rule.status.blocked' : 'sending.rule.status.active');
    case 'campaign': {
      const name = names.get(value);
      return name === undefined ? t('sending.rule.otherCampaign') : t('sending.rule.campaign', { name });
    }
    case 'number':
      return formatExact(Number(value));
    case 'yes_no':
      return t(value === 'yes' ? 'sending.rule.yes' : 'sending.rule.no');
    default:
      return value;
  }
}
