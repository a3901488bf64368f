import type { HandedPeople } from '../../../shared/contacts/handed-people.ts';
import {
  clearChosen,
  emptySelection,
  type AudienceSelection,
  type ChosenFilter,
} from './audience-selection.ts';

/** People who were chosen in the list of contacts, as the picker of an audience has them. Whom the choice of before left out stays out. */
export function audienceFromChoice(
  { choice, segment }: HandedPeople,
  before: AudienceSelection = emptySelection,
): AudienceSelection {
  const nobody = clearChosen(before);
  if ('contactIds' in choice) return { ...nobody, picked: new Set(choice.contactIds) };
  const { search, status, tag, language, importId, campaignId, outcome, reason, report } = choice.filter;
  const narrower = {
    ...(search && { search }),
    ...(status && { status }),
    ...(tag && { tags: [tag] }),
    ...(language && { language }),
    ...(campaignId && { campaignId, ...(outcome && { outcome }), ...(reason && { reason }) }),
    ...(importId && { importId }),
    ...(report && { report }),
  };
  const excluded = new Map((choice.excludedIds ?? []).map((id) => [id, [] as readonly string[]]));
  return { ...nobody, filters: [filterOf(narrower, segment)], excluded };
}

/** A segment stays one, which follows its rules; with a search it is what its rules say now. */
function filterOf(narrower: Exclude<ChosenFilter, { segmentId: string }>, segment: HandedPeople['segment']) {
  if (!segment) return narrower;
  const isAlone = Object.keys(narrower).length === 0;
  return isAlone ? { segmentId: segment.id, name: segment.name } : { ...narrower, rules: segment.rules };
}
