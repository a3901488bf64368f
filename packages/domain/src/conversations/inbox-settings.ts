import type { BusinessHours } from './teamwork/business-time.ts';

/** Who gets a conversation by itself: nobody, whoever got none for the longest time, or whoever has the fewest open. */
export const assignmentModes = ['off', 'round_robin', 'least_busy'] as const;
export type AssignmentMode = (typeof assignmentModes)[number];

/** `maxOpen`: nobody gets another one by itself who has so many open. */
export type AssignmentRule = { mode: AssignmentMode; maxOpen: number | null };

/** How a workspace works in its inbox. */
export type InboxSettings = {
  /** Of conversations that have no team; among the people of `teamId`, or among all who may answer. */
  assignment: AssignmentRule & { teamId: string | null };
  /** Of conversations that were given to a team. */
  teamAssignment: Record<string, AssignmentRule>;
  targets: { firstAnswerMinutes: number | null; resolutionMinutes: number | null };
  /** Null: targets run day and night. */
  businessHours: BusinessHours | null;
  /** After so many days of silence; null: never. */
  autoResolveDays: number | null;
  /** Whether people who write are shown that their messages were read, and that somebody types. */
  sendReadReceipts: boolean;
  showTyping: boolean;
  /** Whether a message makes a sound for people who chose nothing themselves. */
  playSounds: boolean;
};

export const defaultInboxSettings: InboxSettings = {
  assignment: { mode: 'off', maxOpen: null, teamId: null },
  teamAssignment: {},
  targets: { firstAnswerMinutes: null, resolutionMinutes: null },
  businessHours: null,
  autoResolveDays: null,
  sendReadReceipts: true,
  showTyping: true,
  playSounds: true,
};

export const inboxLimits = {
  targetMinutes: 43_200,
  maxOpen: 1_000,
  autoResolveDays: 365,
  holidays: 100,
} as const;

/** Stored is what was saved, in the form of the contract; what it does not name yet has its default. */
export function readInboxSettings(stored: Record<string, unknown> | null): InboxSettings {
  const known = Object.entries(stored ?? {}).filter(([name]) => name in defaultInboxSettings);
  return { ...defaultInboxSettings, ...(Object.fromEntries(known) as Partial<InboxSettings>) };
}
