import type { InterfaceLanguage } from '../text/interface-language.ts';

/** What a person has set for themself, as others who manage users see it. */
export type ShownPreferences = { theme: string; language: string; emailOn: boolean; pushOn: boolean };

/** Stored is what was chosen; everything else has its default. */
export function readPreferences(
  stored: Record<string, unknown>,
  language: InterfaceLanguage | null,
): ShownPreferences {
  const { theme, notifications } = stored;
  const channels = isRecord(notifications) ? notifications : {};
  return {
    theme: typeof theme === 'string' ? theme : 'light',
    language: language ?? 'en',
    emailOn: channels.email !== false,
    pushOn: channels.push !== false,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
