import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import type { CustomFieldType } from '@app/domain/custom-fields/custom-field';
import { textsOfValue } from '@app/domain/channel-kinds/content-type';
import type { KindContent } from '@app/domain/messaging/message-content';
import { findVariables } from '@app/domain/messaging/template-variables';
import { templateVariables } from '@app/domain/templates/template-rendering';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { ChosenMessage } from './choose-message.ts';

/**
 * The variables as they are stored: a placeholder that nobody chose a value for is filled from the custom field whose key
 * it is. The fields stay until the transaction ends, so that none is deleted while a campaign with it is being saved.
 */
export async function resolveVariables(
  scope: ReadScope,
  message: ChosenMessage,
  variables: CampaignVariables,
): Promise<CampaignVariables | 'custom_field_unknown'> {
  const asked = customIdsOf(variables);
  const unfilled = placeholdersOf(message).filter((name) => !Object.hasOwn(variables, name));
  if (asked.length + unfilled.length === 0) return variables;
  const { rows } = await scope.query<{ id: string; key: string }>(
    `SELECT id, key FROM custom_fields WHERE workspace_id = $1 AND (id = ANY($2) OR key = ANY($3)) ORDER BY id FOR SHARE`,
    [scope.workspaceId, asked, unfilled],
  );
  if (!asked.every((id) => rows.some((field) => field.id === id))) return 'custom_field_unknown';
  const found = rows.filter(({ key }) => unfilled.includes(key));
  return { ...variables, ...Object.fromEntries(found.map(({ id, key }) => [key, { customField: id }])) };
}

/** With the types of the custom fields, which say how a value is written. */
export async function addFieldTypes(
  scope: ReadScope,
  variables: CampaignVariables,
): Promise<CampaignVariables> {
  const ids = customIdsOf(variables);
  if (ids.length === 0) return variables;
  const { rows } = await scope.query<{ id: string; type: CustomFieldType }>(
    'SELECT id, type FROM custom_fields WHERE workspace_id = $1 AND id = ANY($2)',
    [scope.workspaceId, ids],
  );
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      'customField' in variable ? { ...variable, type: types.get(variable.customField) } : variable,
    ]),
  );
}

function customIdsOf(variables: CampaignVariables): string[] {
  return Object.values(variables).flatMap((variable) =>
    'customField' in variable ? [variable.customField] : [],
  );
}

/** A content in all its languages. */
function contentsOfMessage({
  content,
  inLanguages = {},
}: Extract<ChosenMessage, { kind: 'content' }>): KindContent[] {
  return [content, ...Object.values(inLanguages)];
}

export function placeholdersOfContent({ value }: KindContent): string[] {
  return [...new Set(textsOfValue(value).flatMap(findVariables))];
}

/** The names of the placeholders of a message, each once. */
export function placeholdersOf(message: ChosenMessage): string[] {
  if (message.kind === 'missing') return [];
  if (message.kind === 'content')
    return [...new Set(contentsOfMessage(message).flatMap(placeholdersOfContent))];
  return message.kind === 'text'
    ? findVariables(message.text)
    : templateVariables(message.template.components);
}
