import type { EffectOutcome } from '@app/domain/flows/run-state';
import type { RunEffect } from '@app/flows/flow-host';
import { cleanName, contactLimits, readEmailAddress } from '@app/domain/contacts/contact';
import { changeContact } from '../../../contacts/contact-changes.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { EffectParts } from './effect-parts.ts';

/** Writes one custom field as a person with the form would: what the field does not take is an error, and nothing is changed. */
export function setField({ secrets }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, { contactId, request }) => {
    if (contactId === null) return { status: 'failed', code: 'contact_missing' };
    if (typeof request['part'] === 'string')
      return setPart(scope, secrets, contactId, { part: request['part'], value: String(request['value']) });
    const { rows } = await scope.query<{ version: number; key: string | null; is_same: boolean }>(
      `SELECT c.version, f.key, coalesce(c.custom_values ->> f.id::text, '') = $4 AS is_same
         FROM contacts c LEFT JOIN custom_fields f ON f.workspace_id = c.workspace_id AND f.id = $3::uuid
        WHERE c.workspace_id = $1 AND c.id = $2 FOR UPDATE OF c`,
      [scope.workspaceId, contactId, request['fieldId'], request['value']],
    );
    const [found] = rows;
    if (!found) return { status: 'failed', code: 'contact_gone' };
    if (found.key === null) return { status: 'failed', code: 'custom_field_unknown' };
    if (found.is_same) return { status: 'done' };
    const value = String(request['value']);
    const changed = await changeContact(scope, secrets, {
      ...{ contactId, version: found.version, customFields: { [found.key]: value === '' ? null : value } },
    });
    if (typeof changed === 'string') return { status: 'failed', code: changed };
    if ('code' in changed)
      return {
        ...{ status: 'failed', code: changed.code },
        values: { field: found.key, ...('problem' in changed && { problem: changed.problem }) },
      };
    return { status: 'done' };
  };
}

/** The name or the email address of the contact. */
async function setPart(
  scope: WorkspaceScope,
  secrets: EffectParts['secrets'],
  contactId: string,
  { part, value }: { part: string; value: string },
): Promise<EffectOutcome> {
  const { rows } = await scope.query<{ version: number; name: string; email: string | null }>(
    'SELECT version, name, email FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, contactId],
  );
  const [found] = rows;
  if (!found) return { status: 'failed', code: 'contact_gone' };
  const clean = part === 'email' ? readEmailAddress(value) : cleanName(value);
  if (!clean || (part === 'name' && clean.length > contactLimits.name))
    return { status: 'failed', code: 'value_invalid' };
  if (clean === (part === 'email' ? found.email : found.name)) return { status: 'done' };
  const changed = await changeContact(scope, secrets, {
    ...{ contactId, version: found.version },
    ...(part === 'email' ? { email: clean } : { name: clean }),
  });
  if (typeof changed === 'string') return { status: 'failed', code: changed };
  return 'code' in changed ? { status: 'failed', code: changed.code } : { status: 'done' };
}
