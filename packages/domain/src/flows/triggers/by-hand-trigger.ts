import type { TriggerType } from '../trigger-type.ts';

/** Members enrol contacts, or the step `start_workflow` of another workflow does. Nothing else starts a run. */
export const byHand: TriggerType = {
  ...{ type: 'by_hand', kinds: ['workflow'], isAwaitable: false, takesConditions: false },
  fields: [],
  values: () => [],
  matches: () => false,
};
