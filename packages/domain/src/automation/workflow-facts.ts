import { defineFact, type LiveSign } from '../events/fact-definition.ts';
import { oneOf, orNull, text, whole } from '../events/fact-values.ts';
import { publishModes } from './workflow-status.ts';

const ofWorkflow: LiveSign = { topic: 'workflows', payload: ({ subject }) => ({ workflowId: subject }) };

const common = {
  version: 1,
  subject: 'workflow',
  values: { name: text },
  live: [ofWorkflow],
  forWebhooks: true,
} as const;

const changed = { type: 'update', resource: 'automation' } as const;

export const workflowFacts = {
  'workflow.created': defineFact({ ...common, audit: { type: 'create', resource: 'automation' } }),
  /** The draft was saved: while somebody edits, this happens often. */
  'workflow.draft_saved': defineFact({ ...common, audit: null, forWebhooks: false }),
  'workflow.published': defineFact({
    ...common,
    values: { ...common.values, number: whole, runs: oneOf(publishModes) },
    audit: changed,
  }),
  /** Runs in progress went on with a version that was published after they had begun. */
  'workflow.runs_moved': defineFact({
    ...common,
    values: { ...common.values, count: whole },
    audit: changed,
  }),
  'workflow.activated': defineFact({ ...common, audit: changed }),
  /** By a person, or by a limit: then `reason` says which, and `runId` names the run that reached it. */
  'workflow.paused': defineFact({
    ...common,
    values: { ...common.values, reason: orNull(text), runId: orNull(text) },
    audit: changed,
  }),
  /** A member entered contacts by hand. */
  'workflow.contacts_enrolled': defineFact({
    ...common,
    values: { ...common.values, count: whole },
    audit: changed,
  }),
  /** A run failed; told once in some hours for each workflow, and the run log has them all. */
  'workflow.run_failed': defineFact({
    ...common,
    values: { ...common.values, runId: text, code: text },
    audit: null,
  }),
  'workflow.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'automation' } }),
};
