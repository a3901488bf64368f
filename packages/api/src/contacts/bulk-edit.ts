import { bindTo } from '@app/database/bind-value';
import { contactLimits, type ContactStatus } from '@app/domain/contacts/contact';
import { checkCustomInput, type CustomInput, type CustomFieldError } from '../custom-fields/custom-values.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { FilterError } from './contacts-queries.ts';
import { emitTagChanges, type TagChange } from './emit-tag-changes.ts';
import { choiceSql, freezeChoice, type ContactChoice } from './contact-choice.ts';

/** What is changed of each. */
export type ContactEdit = {
  addTags: string[];
  removeTags: string[];
  status?: ContactStatus | undefined;
  /** Null takes it away. */
  language?: string | null | undefined;
  /** By the keys of the fields; null takes a value away. */
  customFields?: CustomInput;
};

export type BulkEdit = ContactEdit & { choice: ContactChoice };

/** The same in one go, with its entry in the log. */
export async function editAtOnce(scope: WorkspaceScope, edit: BulkEdit): ReturnType<typeof editContacts> {
  const edited = await editContacts(scope, edit);
  if (typeof edited === 'object' && 'changed' in edited && edited.changed > 0)
    await scope.emit({ type: 'contacts.edited', subject: null, values: { changed: edited.changed } });
  return edited;
}

/**
 * Changes tags, status, language and custom fields of all chosen contacts in one statement. Contacts that are so already keep their version; one
 * that would get more tags than allowed keeps its tags. Emits who got and lost which tags.
 */
export async function editContacts(
  scope: WorkspaceScope,
  { choice, addTags, removeTags, status, language, customFields = {} }: BulkEdit,
): Promise<{ chosen: number; changed: number } | CustomFieldError | FilterError> {
  const frozen = await freezeChoice(scope, choice);
  if (typeof frozen === 'string') return frozen;
  const custom = await checkCustomInput(scope, customFields);
  if ('code' in custom) return custom;
  const values: unknown[] = [];
  const bind = bindTo(values);
  const chosen = `c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND ${choiceSql(frozen, bind, scope.workspaceId)}`;
  const removed = `ARRAY(SELECT lower(tag) FROM unnest(${bind(removeTags, 'text[]')}) AS tag)`;
  const kept = `ARRAY(SELECT tag FROM unnest(c.tags) AS tag WHERE lower(tag) <> ALL (${removed}))`;
  const added = `ARRAY(SELECT tag FROM unnest(${bind(addTags, 'text[]')}) AS tag
                        WHERE NOT EXISTS (SELECT FROM unnest(c.tags) AS old WHERE lower(old) = lower(tag)))`;
  const newValues = `(c.custom_values - ${bind(custom.removed, 'text[]')}) || ${bind(JSON.stringify(custom.set), 'jsonb')}`;
  const { rows } = await scope.query<{ chosen: number; changed: number; tagged: TagChange[] }>(
    `WITH chosen AS MATERIALIZED (
       SELECT c.id, c.tags, c.status, c.language, c.custom_values, ${kept} || ${added} AS new_tags, ${newValues} AS new_values,
              coalesce(${bind(status ?? null, 'text')}, c.status) AS new_status,
              ${language === undefined ? 'c.language' : bind(language, 'text')} AS new_language
         FROM contacts c WHERE ${chosen} ORDER BY c.id FOR UPDATE),
     wanted AS (SELECT id, tags, status, language, custom_values, new_status, new_language, new_values,
                       CASE WHEN cardinality(new_tags) > ${contactLimits.tags} THEN tags ELSE new_tags END AS new_tags FROM chosen),
     changed AS (
       UPDATE contacts c SET tags = w.new_tags, status = w.new_status, language = w.new_language, custom_values = w.new_values, version = c.version + 1,
              updated_at = ${bind(scope.clock(), 'timestamptz')}
         FROM wanted w WHERE c.id = w.id AND (w.tags <> w.new_tags OR w.status <> w.new_status
                                      OR w.language IS DISTINCT FROM w.new_language OR w.custom_values <> w.new_values)
        RETURNING c.id, w.tags AS before, w.new_tags AS after)
     SELECT (SELECT count(*)::int FROM chosen) AS chosen, (SELECT count(*)::int FROM changed) AS changed,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('contactId', id, 'before', before, 'after', after) ORDER BY id), '[]')
               FROM changed WHERE before <> after) AS tagged`,
    values,
  );
  const { tagged, ...counts } = rows[0]!; // a SELECT without FROM gives one row
  await emitTagChanges(scope, tagged);
  return counts;
}
