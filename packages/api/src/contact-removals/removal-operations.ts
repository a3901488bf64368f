import { applyContactCounts } from '@app/database/contacts/count-contacts';
import { overStates } from '@app/domain/operations/operation-state';
import { nextOfOperation, NOBODY, type FrozenChoice } from '../contacts/contact-choice.ts';
import { removeContacts, restoreContacts } from '../contacts/deleted-contacts.ts';
import { findOperation, type StoredOperation } from '../platform/operations/operation-rows.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

const REMOVED_AT_ONCE = 1_000;
/** Fewer, because each number is locked against a person who is erased meanwhile. */
const RESTORED_AT_ONCE = 500;

/** Deletes many contacts, a thousand at a time. Cancelled it keeps deleted what is; its undo brings that back. */
export const contactRemoval = {
  name: 'contact-removal',
  async step(scope, operation, { secrets }) {
    const { contactIds, resume, isOver } = await nextOfOperation(
      scope,
      operation,
      readChoice(operation),
      REMOVED_AT_ONCE,
    );
    const removed = await removeContacts(scope, secrets, { contactIds, removalId: operation.id });
    return { done: removed.length, resume, isOver };
  },
  async onEnd(scope, { operation }) {
    await applyContactCounts(scope, scope.workspaceId);
    const count = Number(operation.done);
    if (count > 0) await scope.emit({ type: 'contacts.deleted', subject: operation.id, values: { count } });
  },
} satisfies SteppingKind;

/** Brings back what a deletion took. It cannot be stopped: half of it would be neither. */
export const contactRestore = {
  name: 'contact-restore',
  async step(scope, operation, { secrets }) {
    const lastId = readLastId(operation);
    const ids = await nextKept(scope, { removalId: operation.subject, lastId });
    const { contacts } = await restoreContacts(scope, secrets, ids);
    return {
      done: contacts.length,
      resume: { lastId: ids.at(-1) ?? lastId },
      isOver: ids.length < RESTORED_AT_ONCE,
    };
  },
  async onEnd(scope, { operation }) {
    await applyContactCounts(scope, scope.workspaceId);
    const count = Number(operation.done);
    if (count > 0)
      await scope.emit({ type: 'contacts.restored', subject: operation.subject, values: { count } });
  },
} satisfies SteppingKind;

/** The act that turns this deletion round; one that failed leaves room for another. */
export async function findRestore(scope: ReadScope, removalId: string): Promise<StoredOperation | null> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM operations WHERE workspace_id = $1 AND subject = $2 AND kind = $3 AND state <> 'failed'`,
    [scope.workspaceId, removalId, contactRestore.name],
  );
  return rows[0] ? findOperation(scope, rows[0].id) : null;
}

/** For `deleted_contacts k`: somebody is about to bring the contact back. */
export const isBeingRestored = `EXISTS (SELECT FROM operations a WHERE a.workspace_id = k.workspace_id AND a.subject = k.removal_id
   AND a.kind = '${contactRestore.name}' AND a.state NOT IN (${overStates.map((state) => `'${state}'`).join(', ')}))`;

function readChoice({ wish }: StoredOperation): FrozenChoice {
  return wish.choice as FrozenChoice; // as `start` kept it
}

function readLastId({ resume }: StoredOperation): string {
  return typeof resume.lastId === 'string' ? resume.lastId : NOBODY;
}

async function nextKept(
  scope: ReadScope,
  { removalId, lastId }: { removalId: string | null; lastId: string },
) {
  const { rows } = await scope.query<{ contact_id: string }>(
    `SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 AND removal_id = $2 AND contact_id > $3
      ORDER BY contact_id LIMIT $4`,
    [scope.workspaceId, removalId, lastId, RESTORED_AT_ONCE],
  );
  return rows.map((row) => row.contact_id);
}
