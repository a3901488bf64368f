import {
  readCustomValue,
  type CustomFieldRule,
  type CustomValue,
  type CustomValueProblem,
} from '@app/domain/custom-fields/custom-field';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** Values of one contact by the keys of their fields, as they came in; null takes a value away. */
export type CustomInput = Readonly<Record<string, string | number | boolean | null>>;

/** By the ids of the fields, ready to be stored. */
export type CustomChange = { set: Record<string, CustomValue>; removed: string[] };

export type CustomFieldError =
  | { code: 'custom_field_unknown'; key: string }
  | { code: 'custom_field_invalid'; key: string; problem: CustomValueProblem };

/** Nothing of it is taken when one value does not fit. */
export function readCustomInput(
  fields: readonly CustomFieldRule[],
  input: CustomInput,
): CustomChange | CustomFieldError {
  const change: CustomChange = { set: {}, removed: [] };
  for (const [key, raw] of Object.entries(input)) {
    const field = fields.find((known) => known.key === key);
    if (!field) return { code: 'custom_field_unknown', key };
    const read = readCustomValue(field, raw);
    if ('problem' in read) return { code: 'custom_field_invalid', key, problem: read.problem };
    if (read.value === null) change.removed.push(field.id);
    else change.set[field.id] = read.value;
  }
  return change;
}

/**
 * The same of several contacts, against the fields as they are now. They stay so until the transaction ends: a field that is being deleted
 * is not written to any more.
 */
export async function checkCustomInputs(
  scope: WorkspaceScope,
  inputs: readonly CustomInput[],
): Promise<(CustomChange | CustomFieldError)[]> {
  const keys = [...new Set(inputs.flatMap((input) => Object.keys(input)))];
  const { rows } =
    keys.length === 0
      ? { rows: [] }
      : await scope.query<CustomFieldRule>(
          'SELECT id, key, label, type, options FROM custom_fields WHERE workspace_id = $1 AND key = ANY($2) ORDER BY id FOR SHARE',
          [scope.workspaceId, keys],
        );
  return inputs.map((input) => readCustomInput(rows, input));
}

/** The same of one contact. */
export async function checkCustomInput(
  scope: WorkspaceScope,
  input: CustomInput,
): Promise<CustomChange | CustomFieldError> {
  const [checked] = await checkCustomInputs(scope, [input]);
  return checked!; // one for one
}

/** The values of a row of `contacts`, by the keys of the fields that there are. */
export const customFieldsSql = `CASE WHEN custom_values = '{}' THEN '{}' ELSE
  (SELECT coalesce(jsonb_object_agg(f.key, v.value ORDER BY f.position), '{}')
     FROM jsonb_each(custom_values) AS v JOIN custom_fields f ON f.id = v.key::uuid) END`;
