import { flowProblemCodes } from '@app/domain/flows/check-flow';
import { runOutcomes } from '@app/domain/flows/run-state';
import { flowStatuses, runWaits } from '@app/domain/automation/workflow-status';
import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { flowFile } from './flow-file-schema.ts';

/** What keeps a draft from being published, with the place that it belongs to. */
export const flowProblem = z.object({
  code: z.enum(flowProblemCodes),
  place: z.enum(['flow', 'trigger', 'step', 'goal']),
  /** Of the trigger or step. */
  id: z.string().nullable(),
  field: z.string().nullable(),
  value: z.string().nullable(),
});

export const workflow = z.object({
  id,
  name: z.string(),
  description: z.string(),
  status: z.enum(flowStatuses),
  /** Types of the triggers, in their order: of the published version, or of the draft while there is none. */
  triggers: z.array(z.string()),
  /** Types of the steps, from the first on. */
  steps: z.array(z.string()),
  stats: z.object({
    triggered: z.number(),
    completed: z.number(),
    failed: z.number(),
    cancelled: z.number(),
    /** Runs in progress. */
    running: z.number(),
  }),
  createdAt: instant,
  updatedAt: instant,
  lastTriggered: instant.nullable(),
  /** The number of the published version; null while there is none. */
  publishedVersion: z.number().nullable(),
  publishedAt: instant.nullable(),
  /** The draft is not what was published. */
  hasChanges: z.boolean(),
  /** The limit that paused it, and the run that reached it. After a restore: how many runs that waited at the time of the backup can go on. */
  pausedFor: z.object({ code: z.string(), runId: id.nullable(), heldRuns: z.number() }).nullable(),
  /** Of the draft: saving names it. */
  version: z.number(),
  /** The caller created it and it was never published. With campaigns:create they may change and delete it. */
  isOwnDraft: z.boolean(),
});

export const workflowDetails = workflow.extend({
  /** The draft as a flow file. */
  flow: flowFile,
  problems: z.array(flowProblem),
});

export const workflowVersion = z.object({
  number: z.number(),
  publishedAt: instant,
  publishedBy: z.string(),
  /** New runs get this one. */
  isCurrent: z.boolean(),
  /** Runs in progress that are on it. */
  running: z.number(),
});

export const runStatuses = ['running', ...runOutcomes] as const;

export const workflowRun = z.object({
  id,
  workflowId: id,
  version: z.number(),
  /** Null for a run without a contact, or of one that is gone. */
  contact: z.object({ id, name: z.string(), phone: z.string().nullable() }).nullable(),
  /** The contact of the run was deleted. */
  isContactGone: z.boolean(),
  trigger: z.string().nullable(),
  /** Of that trigger; null where a member began the run. */
  triggerType: z.string().nullable(),
  status: z.enum(runStatuses),
  /** Why it ended, where it did not simply come to its end: `goal_reached`, `contact_gone`, the code of an error. */
  code: z.string().nullable(),
  isTest: z.boolean(),
  retriedFrom: id.nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** The step where it is, and what it waits for there. */
  at: z
    .object({
      stepId: z.string(),
      type: z.string(),
      /** Each arrival at a step counts: skipping its wait names it. */
      visit: z.number(),
      wait: z.enum(runWaits).nullable(),
      until: instant.nullable(),
    })
    .nullable(),
});

/** One visit of one step that is over. */
export const runLogEntry = z.object({
  id,
  visit: z.number(),
  stepId: z.string().nullable(),
  type: z.string(),
  event: z.enum(['left', 'ended', 'failed', 'ignored']),
  exit: z.string().nullable(),
  code: z.string().nullable(),
  /** What the step asked for and what came of it: ids and values, such as `messageId`. */
  details: z.record(z.string(), z.json()),
  attempt: z.number(),
  beganAt: instant,
  endedAt: instant,
});

export const workflowRunDetails = workflowRun.extend({
  workflowName: z.string(),
  /** What the trigger brought. */
  triggerValues: z.record(z.string(), z.json()),
  log: z.array(runLogEntry),
});

/** Which run and which step sent a message. */
export const messageOrigin = z.object({
  workflowId: id,
  workflowName: z.string(),
  runId: id,
  /** What began the run, and when. */
  trigger: z.string().nullable(),
  triggerType: z.string().nullable(),
  isTest: z.boolean(),
  startedAt: instant,
  stepId: z.string(),
  visit: z.number(),
  askedAt: instant,
});

/** What keeps a contact out by the data of today. */
export const entryObstacles = [
  ...['not_active', 'contact_blocked', 'conditions_not_met', 'entered_before', 'in_progress'],
  'trigger_not_seen',
] as const;

export const explanation = z.object({
  /** The newest first. */
  starts: z.array(
    z.object({
      at: instant,
      trigger: z.string().nullable(),
      state: z.enum(['open', 'started', 'refused']),
      /** Why it was refused, such as `conditions_not_met`, `entered_before` or `answered_by_bot`. */
      reason: z.string().nullable(),
      runId: id.nullable(),
    }),
  ),
  today: z.object({
    /** Empty where nothing stands in the way. */
    obstacles: z.array(z.enum(entryObstacles)),
    triggers: z.array(z.object({ id: z.string(), type: z.string(), meetsConditions: z.boolean() })),
  }),
});
