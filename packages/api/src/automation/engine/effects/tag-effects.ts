import type { RunEffect } from '@app/flows/flow-host';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import { editContacts } from '../../../contacts/bulk-edit.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';

const NONE = { addTags: [], removeTags: [] };

/** A contact that has the tag already keeps it, and nothing is told. */
export const addTag: RunEffect<WorkspaceScope> = async (scope, { contactId, request }) => {
  const tag = String(request['tag']);
  if (contactId === null) return { status: 'failed', code: 'contact_missing' };
  const outcome = await edit(scope, contactId, { ...NONE, addTags: [tag] });
  if (outcome !== 'unchanged') return outcome ?? { status: 'done' };
  const { rowCount } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 AND tags && ARRAY[$3::text]',
    [scope.workspaceId, contactId, tag],
  );
  // One that has as many tags as there can be keeps its own.
  return rowCount ? { status: 'done' } : { status: 'failed', code: 'too_many_tags' };
};

export const removeTag: RunEffect<WorkspaceScope> = async (scope, { contactId, request }) => {
  if (contactId === null) return { status: 'failed', code: 'contact_missing' };
  const outcome = await edit(scope, contactId, { ...NONE, removeTags: [String(request['tag'])] });
  return outcome === null || outcome === 'unchanged' ? { status: 'done' } : outcome;
};

async function edit(
  scope: WorkspaceScope,
  contactId: string,
  change: { addTags: string[]; removeTags: string[] },
): Promise<EffectOutcome | 'unchanged' | null> {
  const edited = await editContacts(scope, { choice: { contactIds: [contactId] }, ...change });
  if (typeof edited === 'string' || 'code' in edited) return { status: 'failed', code: 'contact_gone' };
  if (edited.chosen === 0) return { status: 'failed', code: 'contact_gone' };
  if (edited.changed === 0) return 'unchanged';
  return null;
}
