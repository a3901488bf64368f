import { advisoryLocks } from '@app/database/advisory-locks';
import type { customField } from '@app/contracts/custom-fields/custom-fields-contract';
import { newId } from '@app/database/new-id';
import {
  customFieldLimits,
  makeFieldKey,
  type CustomFieldType,
} from '@app/domain/custom-fields/custom-field';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { z } from 'zod';

export type CustomField = z.infer<typeof customField>;

type FieldRow = {
  id: string;
  key: string;
  label: string;
  type: CustomFieldType;
  description: string;
  options: string[];
  created_at: Date;
  updated_at: Date;
  version: number;
};

const columns = 'id, key, label, type, description, options, created_at, updated_at, version';

export async function listCustomFields(scope: ReadScope): Promise<CustomField[]> {
  const { rows } = await scope.query<FieldRow>(
    `SELECT ${columns} FROM custom_fields WHERE workspace_id = $1 ORDER BY position, id`,
    [scope.workspaceId],
  );
  return rows.map(presentField);
}

export type NewField = Pick<CustomField, 'label' | 'type' | 'description' | 'options'>;
type AddError = 'custom_field_label_taken' | 'custom_field_limit' | 'custom_field_options_missing';

/** Stores a new field behind the others, or says why not. Emits `custom_field.created`. */
export async function addCustomField(
  scope: WorkspaceScope,
  { label, type, description, options }: NewField,
): Promise<CustomField | AddError> {
  if (!areOptionsRight(type, options)) return 'custom_field_options_missing';
  await lockFields(scope);
  const known = await listCustomFields(scope);
  if (known.some((other) => other.label.toLowerCase() === label.toLowerCase()))
    return 'custom_field_label_taken';
  if (known.length >= customFieldLimits.fields) return 'custom_field_limit';
  const key = makeFieldKey(label, new Set(known.map((other) => other.key)));
  const { rows } = await scope.query<FieldRow>(
    `INSERT INTO custom_fields (id, workspace_id, key, label, type, description, options, position, created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, coalesce(max(position), 0) + 1, $8, $8 FROM custom_fields WHERE workspace_id = $2
     RETURNING ${columns}`,
    [newId(), scope.workspaceId, key, label, type, description, options, scope.clock()],
  );
  const added = presentField(rows[0]!); // one row was inserted
  await scope.emit({ type: 'custom_field.created', subject: added.id, values: { label } });
  return added;
}

export type FieldChange = {
  fieldId: string;
  version: number;
  label?: string | undefined;
  description?: string | undefined;
  options?: string[] | undefined;
};
type ChangeError =
  | 'custom_field_not_found'
  | 'custom_field_changed'
  | 'custom_field_label_taken'
  | 'custom_field_options_missing'
  | { option: string; contacts: number };

/** Changes a field unless it was changed since `version`. Emits `custom_field.updated`. */
export async function changeCustomField(
  scope: WorkspaceScope,
  { fieldId, version, label, description, options }: FieldChange,
): Promise<CustomField | ChangeError> {
  await lockFields(scope);
  const { rows: found } = await scope.query<FieldRow>(
    `SELECT ${columns} FROM custom_fields WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [scope.workspaceId, fieldId],
  );
  const [field] = found;
  if (!field) return 'custom_field_not_found';
  if (field.version !== version) return 'custom_field_changed';
  if (label !== undefined && (await isLabelTaken(scope, label, fieldId))) return 'custom_field_label_taken';
  if (options && !areOptionsRight(field.type, options)) return 'custom_field_options_missing';
  for (const option of options ? field.options.filter((known) => !options.includes(known)) : []) {
    const contacts = await countWith(scope, { [fieldId]: option });
    if (contacts > 0) return { option, contacts };
  }
  const { rows } = await scope.query<FieldRow>(
    `UPDATE custom_fields SET label = coalesce($3, label), description = coalesce($4, description),
            options = coalesce($5, options), version = version + 1, updated_at = $6
      WHERE workspace_id = $1 AND id = $2 RETURNING ${columns}`,
    [scope.workspaceId, fieldId, label ?? null, description ?? null, options ?? null, scope.clock()],
  );
  const changed = presentField(rows[0]!); // the row is locked above
  await scope.emit({ type: 'custom_field.updated', subject: fieldId, values: { label: changed.label } });
  return changed;
}

/** Stores the order. False unless these are exactly the fields of the workspace. Emits `custom_fields.reordered`. */
export async function reorderCustomFields(
  scope: WorkspaceScope,
  fieldIds: readonly string[],
): Promise<boolean> {
  await lockFields(scope);
  const known = await listCustomFields(scope);
  const wanted = new Set(fieldIds);
  if (wanted.size !== fieldIds.length || wanted.size !== known.length) return false;
  if (!known.every(({ id }) => wanted.has(id))) return false;
  await scope.query(
    `UPDATE custom_fields f SET position = place.position
       FROM unnest($2::uuid[]) WITH ORDINALITY AS place (id, position) WHERE f.workspace_id = $1 AND f.id = place.id`,
    [scope.workspaceId, fieldIds],
  );
  await scope.emit({ type: 'custom_fields.reordered', subject: null, values: {} });
  return true;
}

export type FieldUsage = { contacts: number; segments: string[]; campaigns: string[] };

/** Null when there is no such field. */
export async function readFieldUsage(scope: ReadScope, fieldId: string): Promise<FieldUsage | null> {
  const { rowCount } = await scope.query('SELECT FROM custom_fields WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    fieldId,
  ]);
  if (rowCount === 0) return null;
  const { rows } = await scope.query<{ contacts: number }>(
    `SELECT count(*)::int AS contacts FROM contacts
      WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values ? $2`,
    [scope.workspaceId, fieldId],
  );
  return { contacts: rows[0]?.contacts ?? 0, ...(await findUsers(scope, fieldId)) };
}

/**
 * Removes the field at once; its values leave the contacts in the background (`take-out-values.ts`), where nobody sees
 * them any more. Emits `custom_field.deleted`. After an error the caller must roll back: the row is deleted first.
 */
export async function removeCustomField(
  scope: WorkspaceScope,
  fieldId: string,
): Promise<'custom_field_not_found' | 'custom_field_in_use' | null> {
  await lockFields(scope);
  const { rows } = await scope.query<{ label: string }>(
    'DELETE FROM custom_fields WHERE workspace_id = $1 AND id = $2 RETURNING label',
    [scope.workspaceId, fieldId],
  );
  if (!rows[0]) return 'custom_field_not_found';
  const { segments, campaigns } = await findUsers(scope, fieldId);
  if (segments.length + campaigns.length > 0) return 'custom_field_in_use';
  await scope.query('INSERT INTO removed_custom_fields (id, workspace_id, removed_at) VALUES ($1, $2, $3)', [
    fieldId,
    scope.workspaceId,
    scope.clock(),
  ]);
  const { label } = rows[0];
  await scope.emit({ type: 'custom_field.deleted', subject: fieldId, values: { label } });
  return null;
}

/** Names of what would mean something else, or send something else, without the field. An id is in no other text. */
async function findUsers(scope: ReadScope, fieldId: string): Promise<Omit<FieldUsage, 'contacts'>> {
  const { rows } = await scope.query<{ kind: 'segment' | 'campaign'; name: string }>(
    `SELECT 'segment' AS kind, name FROM segments WHERE workspace_id = $1 AND rules::text LIKE $2
     UNION ALL
     SELECT 'campaign', name FROM campaigns_now
      WHERE workspace_id = $1 AND status NOT IN ('completed', 'cancelled')
        AND (variables::text LIKE $2 OR audience::text LIKE $2)
     ORDER BY 2`,
    [scope.workspaceId, `%"${fieldId}"%`],
  );
  const namesOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  return { segments: namesOf('segment'), campaigns: namesOf('campaign') };
}

async function countWith(scope: ReadScope, values: object): Promise<number> {
  const { rows } = await scope.query<{ contacts: number }>(
    `SELECT count(*)::int AS contacts FROM contacts
      WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values @> $2::jsonb`,
    [scope.workspaceId, JSON.stringify(values)],
  );
  return rows[0]?.contacts ?? 0;
}

async function isLabelTaken(scope: ReadScope, label: string, exceptId: string) {
  const { rowCount } = await scope.query(
    'SELECT FROM custom_fields WHERE workspace_id = $1 AND lower(label) = lower($2) AND id <> $3',
    [scope.workspaceId, label, exceptId],
  );
  return rowCount !== 0;
}

/** One change of the fields of a workspace at a time: their number, labels and order are looked at before. */
async function lockFields(scope: WorkspaceScope): Promise<void> {
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.customFields}))`, [
    scope.workspaceId,
  ]);
}

function areOptionsRight(type: CustomFieldType, options: readonly string[]): boolean {
  return (type === 'choice') === options.length > 0;
}

function presentField(row: FieldRow): CustomField {
  const { created_at: createdAt, updated_at: updatedAt, ...field } = row;
  return { ...field, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
