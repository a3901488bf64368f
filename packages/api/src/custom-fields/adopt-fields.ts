import { newId } from '@app/database/new-id';
import {
  customFieldLimits,
  type CustomFieldRule,
  type CustomFieldType,
} from '@app/domain/custom-fields/custom-field';
import type { Adoption } from '@app/domain/data-management/data-import';
import type { SqlQueries } from '@app/database/sql-queries';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { readCustomFields } from './custom-field-rules.ts';

export type OfferedField = {
  row: number;
  key: string;
  label: string;
  type: CustomFieldType;
  description: string;
  options: string[];
};

export type NewFieldRule = CustomFieldRule & Pick<OfferedField, 'description'>;

/**
 * What fields there are when those of elsewhere are taken along: one is known by its key, or by its label. What is here stays as it is, since
 * values stand in it, unless all of it goes. Nothing is changed yet.
 */
export async function planFields(
  client: SqlQueries,
  workspaceId: string,
  { offered, replaces }: { offered: readonly OfferedField[]; replaces: boolean },
): Promise<{ adopted: Adoption<never>[]; made: NewFieldRule[]; fields: CustomFieldRule[] }> {
  const fields = replaces ? [] : await readCustomFields(client, workspaceId);
  const made: NewFieldRule[] = [];
  const adopted = offered.map(({ row, key, label, type, description, options }): Adoption<never> => {
    const place = { row, name: label };
    const old = fields.find((one) => one.key === key || one.label.toLowerCase() === label.toLowerCase());
    if (old && old.type !== type) return { ...place, outcome: 'kept', problem: 'type_differs' };
    if (old) return { ...place, outcome: 'same' };
    if ((type === 'choice') !== options.length > 0)
      return { ...place, outcome: 'refused', problem: 'invalid' };
    if (fields.length >= customFieldLimits.fields)
      return { ...place, outcome: 'refused', problem: 'too_many_fields' };
    const rule = { id: newId(), key, label, type, options, description };
    made.push(rule);
    fields.push(rule);
    return { ...place, outcome: 'added' };
  });
  return { adopted, made, fields };
}

/** Stores the planned fields of an import. The import emits one fact of its own (`data.imported`), so this emits none. */
export async function addPlannedFields(scope: WorkspaceScope, made: readonly NewFieldRule[]): Promise<void> {
  for (const { id, key, label, type, description, options } of made)
    await scope.query(
      `INSERT INTO custom_fields (id, workspace_id, key, label, type, description, options, position, created_at, updated_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, coalesce(max(position), 0) + 1, $8, $8 FROM custom_fields WHERE workspace_id = $2`,
      [id, scope.workspaceId, key, label, type, description, options, scope.clock()],
    );
}
