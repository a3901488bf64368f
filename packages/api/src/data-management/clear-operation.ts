import { resetWorkspaceSettings } from '@app/database/auth/write-settings';
import { disconnectChannels, removeChannels } from '@app/database/channels/disconnect-channels';
import { disconnectIntegrations } from '@app/database/integrations/reset-integrations';
import { dropSentOptIns } from '@app/database/contacts/change-consent';
import { clearConversationTraces, countContactsAnew } from '@app/database/contacts/keep-contacts';
import { applyContactCounts } from '@app/database/contacts/count-contacts';
import { cancelRun } from '@app/delivery/run-controls';
import { DEFAULT_BUSINESS_NAME } from '@app/domain/settings/general-settings';
import { defaultMessagingSettings } from '@app/domain/settings/messaging-settings';
import type { Fingerprints } from '../platform/erased-people.ts';
import { cancelOperations } from '../platform/operations/cancel-operations.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { suppressContacts, suppressDeleted } from '../platform/suppression-list.ts';
import type { StoredOperation } from '../platform/operations/operation-rows.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { CLEARED, whichAreCleared } from './cleared-tables.ts';
import { findKeptContacts, hasOnlySandbox, IN_IMPORTS } from './kept-imports.ts';

/** Acts that add people, or move them to those who were deleted. */
const STOPPED_ACTS = ['contact-import', 'data-import', 'data-replacement', 'contact-removal'] as const;
const AT_ONCE = 1_000;
const ROWS_AT_ONCE = 5_000;

/**
 * What is under way stops first; the settings are the last. Who was deleted goes before the others: what brings them back finds nobody
 * any more when those go.
 */
const STAGES: readonly string[] = [
  'stop',
  'deleted_contacts',
  'contacts',
  'kept_contacts',
  ...CLEARED,
  'kept_counts',
  'settings',
];
const BY_CONTACT: readonly string[] = ['deleted_contacts', 'contacts', 'kept_contacts', 'kept_counts'];

/**
 * After the specification: no name, no number, and no automatic reply until somebody wants one.
 */
const AFTERWARDS = {
  businessName: DEFAULT_BUSINESS_NAME,
  autoReply: { ...defaultMessagingSettings.autoReply, isEnabled: false },
};

/**
 * Deletes what the workspace holds, some at a time. It cannot be stopped and not be taken back: a process that dies leaves it to the next, which
 * goes on. What was said against marketing stays with its numbers.
 */
export const dataClear = {
  name: 'data-clear',
  goesToItsEnd: true,
  async step(scope, operation, parts) {
    const stage = readStage(operation);
    const { rows, done = 0, after = null } = await clearSome(scope, parts, stage, operation);
    const most = BY_CONTACT.includes(stage) ? AT_ONCE : ROWS_AT_ONCE;
    const next = rows < most ? STAGES[STAGES.indexOf(stage) + 1] : stage;
    return {
      done,
      resume: { stage: next ?? stage, ...(next === stage && after !== null && { after }) },
      isOver: next === undefined,
    };
  },
  async onEnd(scope, { operation }) {
    await applyContactCounts(scope, scope.workspaceId);
    const values = { contacts: Number(operation.done) };
    await scope.emit({
      type: 'data.cleared',
      subject: scope.workspaceId,
      values,
    });
  },
} satisfies SteppingKind;

type ClearParts = Pick<ApiDependencies, 'secrets' | 'jobs'>;

/** How many rows there were to delete, how many of them count, and, where rows stay, the last one that was looked at. */
async function clearSome(
  scope: WorkspaceScope,
  parts: ClearParts,
  stage: string,
  operation: StoredOperation,
): Promise<{ rows: number; done?: number; after?: string | null }> {
  const { secrets } = parts;
  const { businessName, keptImports, leftChannels, leavesSample, newOwner } = readWish(operation);
  const { created_at: before } = operation;
  if (stage === 'stop') return stopAll(scope, parts);
  if (stage === 'contacts') return clearContacts(scope, secrets, { before, keptImports });
  if (stage === 'kept_contacts' || stage === 'kept_counts') {
    const after = typeof operation.resume.after === 'string' ? operation.resume.after : null;
    const contactIds = await findKeptContacts(scope, { before, keptImports, after, atOnce: AT_ONCE });
    if (stage === 'kept_contacts') await takeSampleFrom(scope, contactIds, leftChannels);
    else if (contactIds.length > 0)
      await countContactsAnew(scope, { workspaceId: scope.workspaceId, contactIds });
    return { rows: contactIds.length, after: contactIds.at(-1) ?? after };
  }
  if (stage === 'deleted_contacts') return clearDeleted(scope, secrets);
  if (stage === 'settings') {
    await resetWorkspaceSettings(scope, scope.workspaceId, {
      settings: { ...AFTERWARDS, businessName },
      keepsRetention: !leavesSample,
    });
    await disconnectChannels(scope, scope.workspaceId);
    await removeChannels(scope, scope.workspaceId, leftChannels);
    if (leavesSample) await clearTrials(scope, newOwner);
    return { rows: 0 };
  }
  if (stage === 'media') await leaveBytes(scope);
  // The tables are those of the list; places in them are unique only together with their partition.
  const { rowCount } = await scope.query(
    `DELETE FROM ${stage} WHERE workspace_id = $1 AND (tableoid, ctid) IN (
       SELECT tableoid, ctid FROM ${stage} WHERE workspace_id = $1 AND ${whichAreCleared(stage)} LIMIT ${ROWS_AT_ONCE})`,
    [scope.workspaceId],
  );
  return { rows: rowCount ?? 0 };
}

/** Nothing leaves any more, also of what is due in a moment, and nothing adds people or moves them about. */
async function stopAll(scope: WorkspaceScope, parts: ClearParts): Promise<{ rows: number }> {
  await disconnectChannels(scope, scope.workspaceId);
  await disconnectIntegrations(scope, scope.workspaceId);
  const { rows } = await scope.query<{ run_no: string }>(
    'SELECT run_no FROM delivery_runs WHERE workspace_id = $1 AND completed_at IS NULL ORDER BY run_no',
    [scope.workspaceId],
  );
  for (const { run_no: runNo } of rows) await cancelRun(scope, Number(runNo), { isDropped: true });
  for (const kind of STOPPED_ACTS) await cancelOperations(scope, parts, kind);
  return { rows: 0 };
}

/** Those who write meanwhile are new, and stay; so do those of the imports that are kept. */
async function clearContacts(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { before, keptImports }: { before: Date; keptImports: readonly string[] },
): Promise<{ rows: number; done: number }> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts c WHERE workspace_id = $1 AND created_at <= $2 AND ${IN_IMPORTS('$3')} IS NOT TRUE
      ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE`,
    [workspaceId, before, keptImports],
  );
  const contactIds = rows.map(({ id }) => id);
  await suppressContacts(scope, secrets, { workspaceId, contactIds });
  await scope.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    workspaceId,
    contactIds,
  ]);
  return { rows: rows.length, done: rows.length };
}

/**
 * Takes what the sample added to contacts that stay: conversations, messages and files. Their own data, consent and its evidence stay. An opt-in
 * that arrived as a message goes if the workspace has only numbers of the sandbox: the test phone sent it, not the person. Every opt-out stays.
 */
async function takeSampleFrom(
  scope: WorkspaceScope,
  contactIds: readonly string[],
  sandboxNumbers: readonly string[],
): Promise<void> {
  if (contactIds.length === 0) return;
  const { workspaceId } = scope;
  for (const table of ['messages', 'message_files', 'conversations'])
    await scope.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`, [
      workspaceId,
      contactIds,
    ]);
  const wasTried = await hasOnlySandbox(scope, sandboxNumbers);
  await clearConversationTraces(scope, { workspaceId, contactIds, withoutPlatformIds: wasTried });
  if (wasTried) await dropSentOptIns(scope, contactIds);
}

async function clearDeleted(scope: WorkspaceScope, secrets: Fingerprints): Promise<{ rows: number }> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ contact_id: string }>(
    `SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 ORDER BY contact_id LIMIT ${AT_ONCE} FOR UPDATE`,
    [workspaceId],
  );
  const contactIds = rows.map(({ contact_id: id }) => id);
  await suppressDeleted(scope, secrets, { workspaceId, contactIds });
  await scope.query(
    'DELETE FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
    [workspaceId, contactIds],
  );
  return { rows: rows.length };
}

/** The bytes are removed behind the commit, by the same upkeep that removes those of messages. */
async function leaveBytes({ query, workspaceId }: WorkspaceScope): Promise<void> {
  await query(
    `INSERT INTO message_file_leavings (workspace_id, storage_key)
     SELECT workspace_id, storage_key FROM media WHERE workspace_id = $1 AND ${whichAreCleared('media')}`,
    [workspaceId],
  );
}

/**
 * What was only tried out in a sample, and stays with Clear All: teams that nobody real is in, and the money of numbers that were none. With a
 * number of a platform it was real money.
 */
async function clearTrials({ query, workspaceId }: WorkspaceScope, newOwner: string | null): Promise<void> {
  await query(
    `DELETE FROM teams AS t WHERE t.workspace_id = $1
       AND NOT EXISTS (SELECT FROM team_members m WHERE m.team_id = t.id AND m.user_id IS DISTINCT FROM $2::uuid)`,
    [workspaceId, newOwner],
  );
  for (const table of ['budget_charges', 'budget_returns', 'budget_months'])
    await query(
      `DELETE FROM ${table} WHERE workspace_id = $1 AND NOT EXISTS (SELECT FROM channels c WHERE c.workspace_id = $1)`,
      [workspaceId],
    );
}

/** Whoever starts for real has named the business, and leaves the sample's numbers behind. */
function readWish({ wish }: StoredOperation) {
  const { businessName, keptImports, leftChannels, leavesSample, newOwner } = wish;
  return {
    leavesSample: leavesSample === true,
    newOwner: typeof newOwner === 'string' ? newOwner : null,
    businessName: typeof businessName === 'string' ? businessName : AFTERWARDS.businessName,
    leftChannels: Array.isArray(leftChannels) ? leftChannels.map(String) : [],
    keptImports: Array.isArray(keptImports) ? keptImports.map(String) : [],
  };
}

function readStage({ resume }: StoredOperation): string {
  return STAGES.find((stage) => stage === resume.stage) ?? 'stop';
}
