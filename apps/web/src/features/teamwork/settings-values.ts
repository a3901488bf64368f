import { inboxLimits, type InboxManners } from '@app/domain/conversations/inbox-settings';
import { t } from '../../shared/messages.ts';
import type { InboxSettings } from './teamwork-queries.ts';

export type SettingsValues = Omit<InboxSettings, 'version' | keyof InboxManners>;
export type SettingsPart = {
  values: SettingsValues;
  onChange: (patch: Partial<SettingsValues>) => void;
};

/** A whole number that may be left empty; out of its span it is what it was typed as, for the form to refuse. */
export function readCount(text: string): number | null {
  const value = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(value) ? null : Math.round(value);
}

/** Why the settings cannot be saved yet; null when they can. */
export function settingsProblem(values: SettingsValues): string | null {
  const { assignment, teamAssignment, targets, targetRules, autoResolveDays } = values;
  const within = (value: number | null, most: number) => value === null || (value >= 1 && value <= most);
  const limits = [assignment, ...Object.values(teamAssignment)].map(({ maxOpen }) => maxOpen);
  if (!limits.every((limit) => within(limit, inboxLimits.maxOpen)))
    return t('teamwork.needsLimit', { n: inboxLimits.maxOpen });
  const minutes = [targets, ...targetRules].flatMap((one) => [one.firstAnswerMinutes, one.resolutionMinutes]);
  if (!minutes.every((count) => within(count, inboxLimits.targetMinutes))) return t('teamwork.needsTarget');
  const about = targetRules.map(({ teamId, priority }) => `${teamId} ${priority}`);
  if (about.includes('null null') || new Set(about).size < about.length) return t('teamwork.needsRule');
  if (!within(autoResolveDays, inboxLimits.autoResolveDays))
    return t('teamwork.needsDays', { n: inboxLimits.autoResolveDays });
  return null;
}

/** What is changed here; what customers notice is changed with the other settings of messages. */
export function readValues(settings: InboxSettings): SettingsValues {
  const { assignment, teamAssignment, targets, targetRules, autoResolveDays, playSounds, rating } = settings;
  return { assignment, teamAssignment, targets, targetRules, autoResolveDays, playSounds, rating };
}
