import { isPermitted } from '../auth/is-permitted.ts';
import type { Permission } from '../auth/permissions.ts';
import { readPreferences } from '../profile/preferences.ts';
import {
  notificationKindNames,
  notificationOptions,
  rulesOfKind,
  type NotificationKind,
  type NotificationOption,
} from './notification-kinds.ts';

/** The ways in which each of them is told. */
export const notificationWays = ['inApp', 'push', 'email'] as const;
export type NotificationWay = (typeof notificationWays)[number];

export type OptionChoice = Record<NotificationWay, boolean>;
export type NotificationChoices = {
  /** Each way as a whole: what is off here is off for everything. The same switches stand in the profile. */
  ways: Record<NotificationWay, boolean>;
  options: { [Option in NotificationOption]?: OptionChoice | undefined };
};

/** Stored is what was chosen; everything else is on. */
export function readChoice(stored: Record<string, unknown>, option: NotificationOption): OptionChoice {
  const chosen = toRecord(toRecord(stored.notices)[option]);
  return { inApp: chosen.inApp !== false, push: chosen.push !== false, email: chosen.email !== false };
}

/** What somebody has chosen of that which they may hear of. */
export function readChoices(
  stored: Record<string, unknown>,
  permissions: readonly Permission[],
): NotificationChoices {
  const { inApp, push, email } = readPreferences(stored).notifications;
  return {
    ways: { inApp, push, email },
    options: Object.fromEntries(
      offeredOptions(permissions).map((option) => [option, readChoice(stored, option)]),
    ),
  };
}

/** Nobody chooses what they could not hear of. */
export function offeredOptions(permissions: readonly Permission[]): NotificationOption[] {
  const heard = new Set(notificationKindNames.filter((kind) => mayHear(permissions, kind)).map(optionOf));
  return notificationOptions.filter((option) => heard.has(option));
}

export function mayHear(permissions: readonly Permission[], kind: NotificationKind): boolean {
  const { access } = rulesOfKind(kind);
  return access === null || isPermitted(permissions, access);
}

/** In which ways this is told to somebody who has chosen so. */
export function waysOf(stored: Record<string, unknown>, kind: NotificationKind): OptionChoice {
  const { option } = rulesOfKind(kind);
  const ways = readPreferences(stored).notifications;
  const chosen = option === null ? { inApp: true, push: true, email: true } : readChoice(stored, option);
  return {
    inApp: ways.inApp && chosen.inApp,
    push: ways.push && chosen.push,
    email: ways.email && chosen.email,
  };
}

function optionOf(kind: NotificationKind): NotificationOption | null {
  return rulesOfKind(kind).option;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
