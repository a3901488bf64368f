import type { RunEffect } from '@app/flows/flow-host';
import { changeContact } from '../../../contacts/contact-changes.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { EffectParts } from './effect-parts.ts';

/** Writes one custom field as a person with the form would: what the field does not take is an error, and nothing is changed. */
export function setField({ secrets }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, { contactId, request }) => {
    if (contactId === null) return { status: 'failed', code: 'contact_missing' };
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
