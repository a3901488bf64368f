import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import { conversationPriorities } from '@app/domain/conversations/conversation-status';
import { isInOrder } from '@app/domain/conversations/teamwork/business-time';
import { assignmentModes, inboxLimits } from '@app/domain/conversations/inbox-settings';
import { z } from 'zod';
import { endpoint, id, versioned } from '../endpoint.ts';

const rule = z.strictObject({
  mode: z.enum(assignmentModes),
  /** Nobody gets another one by itself who has so many open. */
  maxOpen: z.number().int().min(1).max(inboxLimits.maxOpen).nullable(),
});
const minutes = z.number().int().min(1).max(inboxLimits.targetMinutes).nullable();
const targets = z.strictObject({ firstAnswerMinutes: minutes, resolutionMinutes: minutes });
const from = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const to = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/);
const openDay = z
  .array(z.strictObject({ from, to }))
  .max(inboxLimits.spans)
  .refine(isInOrder, 'A span ends after it begins, and before the next one begins.');

/** What customers notice, which is changed with the other settings of messages. */
export const inboxManners = z.strictObject({
  /** Null: targets run day and night. */
  businessHours: z
    .strictObject({
      timeZone: z.string().max(64).refine(isTimeZone, 'This is no time zone.'),
      /** From Sunday on, each with its spans in order; none on a day on which nobody is there. */
      days: z
        .array(openDay)
        .length(7)
        .refine((days) => days.some((day) => day.length > 0), 'There is no day on which anybody is there.'),
      /** Days that are another than their weekday; without spans: closed. */
      exceptions: z
        .array(z.strictObject({ day: z.iso.date(), hours: openDay }))
        .max(inboxLimits.exceptions)
        .refine(
          (exceptions) => new Set(exceptions.map(({ day }) => day)).size === exceptions.length,
          'Two are of the same day.',
        ),
    })
    .nullable(),
  sendReadReceipts: z.boolean(),
  showTyping: z.boolean(),
});

const settings = z.strictObject({
  /** Of conversations without a team; among the people of `teamId`, or among all who may answer. */
  assignment: rule.extend({ teamId: id.nullable() }),
  /** By the id of the team that a conversation was given to. */
  teamAssignment: z
    .record(id, rule)
    .refine((rules) => Object.keys(rules).length <= 200, 'There are too many.'),
  targets,
  /** In place of those, for what a team has, for a priority, or for both; what is said of a team goes before what is said of a priority. */
  targetRules: z
    .array(
      targets
        .extend({ teamId: id.nullable(), priority: z.enum(conversationPriorities).nullable() })
        .refine(
          (rule) => rule.teamId !== null || rule.priority !== null,
          'It names no team and no priority.',
        ),
    )
    .max(inboxLimits.targetRules)
    .refine(
      (rules) => new Set(rules.map((rule) => `${rule.teamId} ${rule.priority}`)).size === rules.length,
      'Two are about the same.',
    ),
  autoResolveDays: z.number().int().min(1).max(inboxLimits.autoResolveDays).nullable(),
  playSounds: z.boolean(),
  /** Asks contacts how the help was when their conversation is resolved: once, within the window, and nobody who opted out. */
  rating: z.strictObject({
    isEnabled: z.boolean(),
    /** Empty for words of ours in the language of the contact. */
    question: z.string().trim().max(inboxLimits.ratingQuestion),
  }),
});

export const inboxSettings = settings.extend(inboxManners.shape).extend({ version: z.number() });

export const inboxSettingsContract = {
  get: endpoint({
    method: 'GET',
    path: '/inbox/settings',
    access: 'messages:read',
    summary: 'How the workspace works in its inbox',
    input: z.object({}),
    output: inboxSettings,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/inbox/settings',
    access: 'messages:manage',
    repeat: versioned,
    summary: 'Changes how the workspace works in its inbox; what is not named stays',
    input: settings.partial().extend({ version: z.number().int().min(0).max(2_000_000_000) }),
    output: inboxSettings,
    errors: ['inbox_settings_changed', 'conversation_team_unknown'],
  }),
};
