import type { CustomFieldError } from '../custom-fields/custom-values.ts';

/** A refusal that belongs to a custom field of a form, with what is wrong with its value. */
export const atCustomField = ({ key, ...refusal }: CustomFieldError) => ({
  data: {
    field: `customFields.${key}`,
    values: { problem: 'problem' in refusal ? refusal.problem : 'unknown' },
  },
});
