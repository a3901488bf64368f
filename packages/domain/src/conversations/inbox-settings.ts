import type { ConversationPriority } from './conversation-status.ts';
import type { BusinessHours, OpenHours } from './teamwork/business-time.ts';

/** Who gets a conversation by itself: nobody, whoever got none for the longest time, or whoever has the fewest open. */
export const assignmentModes = ['off', 'round_robin', 'least_busy'] as const;
export type AssignmentMode = (typeof assignmentModes)[number];

/** `maxOpen`: nobody gets another one by itself who has so many open. */
export type AssignmentRule = { mode: AssignmentMode; maxOpen: number | null };

/** By when people are to be answered and helped; null: there is no such target. */
export type Targets = { firstAnswerMinutes: number | null; resolutionMinutes: number | null };

/** Other targets for what a team has, for a priority, or for both. */
export type TargetRule = Targets & { teamId: string | null; priority: ConversationPriority | null };

/** How a workspace works in its inbox. */
export type InboxSettings = {
  /** Of conversations that have no team; among the people of `teamId`, or among all who may answer. */
  assignment: AssignmentRule & { teamId: string | null };
  /** Of conversations that were given to a team. */
  teamAssignment: Record<string, AssignmentRule>;
  /** Where no rule says otherwise. */
  targets: Targets;
  targetRules: TargetRule[];
  /** Null: targets run day and night. */
  businessHours: BusinessHours | null;
  /** After so many days of silence; null: never. */
  autoResolveDays: number | null;
  /** Whether people who write are shown that their messages were read, and that somebody types. */
  sendReadReceipts: boolean;
  showTyping: boolean;
  /** Whether a message makes a sound for people who chose nothing themselves. */
  playSounds: boolean;
  /** Whether contacts are asked how the help was when their conversation is resolved. An empty question is asked in words of ours, in their language. */
  rating: { isEnabled: boolean; question: string };
};

/** What customers notice of it, which is set with everything else that they do. */
export type InboxManners = Pick<InboxSettings, 'businessHours' | 'sendReadReceipts' | 'showTyping'>;

export const defaultInboxSettings: InboxSettings = {
  assignment: { mode: 'off', maxOpen: null, teamId: null },
  teamAssignment: {},
  targets: { firstAnswerMinutes: null, resolutionMinutes: null },
  targetRules: [],
  businessHours: null,
  autoResolveDays: null,
  sendReadReceipts: true,
  showTyping: true,
  playSounds: true,
  rating: { isEnabled: false, question: '' },
};

export const inboxLimits = {
  targetMinutes: 43_200,
  targetRules: 100,
  maxOpen: 1_000,
  autoResolveDays: 365,
  ratingQuestion: 500,
  /** Of a day. */
  spans: 4,
  exceptions: 100,
} as const;

/** Whether the workspace, or any team, has its conversations assigned by a rule. */
export function assignsByItself({
  assignment,
  teamAssignment,
}: Pick<InboxSettings, 'assignment' | 'teamAssignment'>): boolean {
  return [assignment, ...Object.values(teamAssignment)].some(({ mode }) => mode !== 'off');
}

/** Stored is what was saved, in the form of the contract; what it does not name yet has its default. */
export function readInboxSettings(stored: Record<string, unknown> | null): InboxSettings {
  const known = Object.entries(stored ?? {}).filter(([name]) => name in defaultInboxSettings);
  const settings = { ...defaultInboxSettings, ...(Object.fromEntries(known) as Partial<InboxSettings>) };
  return { ...settings, businessHours: readBusinessHours(settings.businessHours) };
}

/** How hours were when a day had one span, and an exception none: rows and files of that time say them so. */
export type PlainHours = { timeZone: string; days: (OpenHours | null)[]; holidays: string[] };

export function readBusinessHours(stored: BusinessHours | PlainHours | null): BusinessHours | null {
  if (stored === null || 'exceptions' in stored) return stored;
  const { timeZone, days, holidays } = stored;
  return {
    timeZone,
    days: days.map((hours) => (hours === null ? [] : [hours])),
    exceptions: [...new Set(holidays)].map((day) => ({ day, hours: [] })),
  };
}

/** The rule that is most about a conversation: for its team and priority, else for its team, else for its priority. */
export function targetsFor(
  { targets, targetRules }: Pick<InboxSettings, 'targets' | 'targetRules'>,
  { teamId, priority }: { teamId: string | null; priority: ConversationPriority },
): Targets {
  const fits = (rule: TargetRule, byTeam: boolean, byPriority: boolean) =>
    rule.teamId === (byTeam ? teamId : null) && rule.priority === (byPriority ? priority : null);
  const ofTeam = (byPriority: boolean) =>
    teamId === null ? undefined : targetRules.find((rule) => fits(rule, true, byPriority));
  return ofTeam(true) ?? ofTeam(false) ?? targetRules.find((rule) => fits(rule, false, true)) ?? targets;
}
