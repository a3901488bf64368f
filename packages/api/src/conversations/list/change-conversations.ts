import type { conversationListContract } from '@app/contracts/conversations/conversation-list-contract';
import {
  cleanLabels,
  conversationLimits,
  isSnoozeTimely,
  type ConversationPriority,
  type ConversationStatus,
} from '@app/domain/conversations/conversation-status';
import { personOf } from '@app/domain/auth/caller';
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { settleSla } from '@app/database/conversations/settle-sla';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { isTeam, worksHere } from '../teamwork/assign-conversation.ts';
import { keepLabels } from '../teamwork/conversation-labels.ts';
import { markManyUnread, readMany } from './mark-many.ts';

type Input = InferContractRouterInputs<typeof conversationListContract>['change'];
type Done = InferContractRouterOutputs<typeof conversationListContract>['change'];
type Change = Exclude<Input['change'], { isRead: boolean }>;
type Refusal =
  | 'conversation_assignee_unknown'
  | 'conversation_team_unknown'
  | 'conversation_snooze_invalid'
  | 'conversation_labels_full';
type Reason = Done['left'][number]['why'];

/** As the row is locked. */
export type LockedConversation = {
  id: string;
  contact_id: string;
  channel_id: string;
  assignee_id: string | null;
  team_id: string | null;
  status: ConversationStatus;
  priority: ConversationPriority;
  snoozed_until: Date | null;
  labels: string[];
  is_archived: boolean;
  unread: number;
  version: number;
};
type Row = LockedConversation;

/** Does one thing with many: all that it can be done with in one transaction, and of the others it says why not. */
export async function changeConversations(
  scope: WorkspaceScope,
  {
    conversations,
    change: wanted,
  }: {
    conversations: readonly { id: string; version?: number | undefined }[];
    change: Input['change'];
  },
): Promise<Done | Refusal> {
  const versions = new Map(conversations.map(({ id, version }) => [id, version]));
  const change = await readChange(scope, wanted);
  if (typeof change === 'string') return change;
  // Messages are locked before conversations, as whoever stores or moves them does.
  const marks = 'isRead' in change ? await markMany(scope, [...versions.keys()], change.isRead) : null;
  const rows = await lockConversations(scope, [...versions.keys()]);
  const left: Done['left'] = [...versions.keys()]
    .filter((id) => !rows.some((row) => row.id === id))
    .map((id) => ({ id, why: 'not_found' }));
  const changed: Row[] = [];
  for (const row of rows) {
    const why = reasonToLeave(row, versions.get(row.id), change, marks);
    if (why) left.push({ id: row.id, why });
    else changed.push(row);
  }
  if (changed.length > 0) {
    if (marks) await countMarks(scope, marks);
    else if (!('isRead' in change)) await writeChange(scope, changed, change);
    await emitChange(scope, changed, change);
  }
  return {
    changed: changed.map((row) => ({
      id: row.id,
      version: row.version + (marks ? 0 : 1),
      before: describe(row),
    })),
    left,
  };
}

/** Labels are written as the workspace writes them. */
async function readChange(
  scope: WorkspaceScope,
  change: Input['change'],
): Promise<Input['change'] | Refusal> {
  if ('assigneeId' in change) {
    if (change.assigneeId !== null && !(await worksHere(scope, change.assigneeId)))
      return 'conversation_assignee_unknown';
    if (change.teamId && !(await isTeam(scope, change.teamId))) return 'conversation_team_unknown';
  }
  if (
    'status' in change &&
    !isSnoozeTimely(change.status, change.snoozedUntil ?? null, scope.clock().getTime())
  )
    return 'conversation_snooze_invalid';
  if (!('addLabels' in change) || !change.addLabels?.length) return change;
  const addLabels = await keepLabels(scope, change.addLabels);
  return typeof addLabels === 'string' ? addLabels : { ...change, addLabels };
}

async function lockConversations(scope: WorkspaceScope, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await scope.query<Row>(
    `SELECT id, contact_id, channel_id, assignee_id, team_id, status, priority, snoozed_until, labels, is_archived, unread, version FROM conversations
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY contact_id, channel_id FOR NO KEY UPDATE`,
    [scope.workspaceId, ids],
  );
  return rows;
}

/** How many marks of each conversation were set or taken away. */
type Marks = ReadonlyMap<string, number>;

function markMany(scope: WorkspaceScope, ids: readonly string[], isRead: boolean): Promise<Marks> {
  return isRead ? readMany(scope, ids) : markManyUnread(scope, ids);
}

async function countMarks(scope: WorkspaceScope, marks: Marks): Promise<void> {
  await scope.query(
    `UPDATE conversations c SET unread = c.unread + n.marks
       FROM unnest($2::uuid[], $3::integer[]) AS n (id, marks) WHERE c.workspace_id = $1 AND c.id = n.id`,
    [scope.workspaceId, [...marks.keys()], [...marks.values()]],
  );
}

function reasonToLeave(
  row: Row,
  version: number | undefined,
  change: Input['change'],
  marks: Marks | null,
): Reason | null {
  // Marks are set or gone by now, and no version knows of them.
  if ('isRead' in change) {
    if (marks?.has(row.id)) return null;
    return change.isRead === (row.unread === 0) ? 'as_it_was' : 'nothing_to_mark';
  }
  if (version !== undefined && version !== row.version) return 'changed_meanwhile';
  if ('addLabels' in change || 'removeLabels' in change) {
    const labels = labelsAfter(row, change);
    if (labels.length > conversationLimits.labels) return 'too_many_labels';
    return labels.join('\n') === row.labels.join('\n') ? 'as_it_was' : null;
  }
  if ('assigneeId' in change) {
    const team = change.teamId === undefined ? row.team_id : change.teamId;
    return row.assignee_id === change.assigneeId && row.team_id === team ? 'as_it_was' : null;
  }
  if ('isArchived' in change) return row.is_archived === change.isArchived ? 'as_it_was' : null;
  if ('priority' in change) return row.priority === change.priority ? 'as_it_was' : null;
  if (!('status' in change)) return null;
  const until = change.snoozedUntil ? Date.parse(change.snoozedUntil) : null;
  return row.status === change.status && (row.snoozed_until?.getTime() ?? null) === until
    ? 'as_it_was'
    : null;
}

function labelsAfter(
  { labels }: Row,
  {
    addLabels = [],
    removeLabels = [],
  }: { addLabels?: string[] | undefined; removeLabels?: string[] | undefined },
): string[] {
  const gone = new Set(removeLabels.map((label) => label.toLowerCase()));
  return cleanLabels([...labels.filter((label) => !gone.has(label.toLowerCase())), ...addLabels]);
}

async function writeChange(scope: WorkspaceScope, rows: readonly Row[], change: Change): Promise<void> {
  const values = [scope.workspaceId, rows.map(({ id }) => id)];
  const write = (set: string, ...more: unknown[]) =>
    scope.query(
      `UPDATE conversations SET ${set}, version = version + 1 WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [...values, ...more],
    );
  const settle = (aims: boolean) =>
    settleSla(scope, {
      conversationIds: rows.map(({ id }) => id),
      ...{ begun: new Set(), aims, by: personOf(scope.caller), now: scope.clock() },
    });
  if ('assigneeId' in change) {
    await write(
      `assignee_id = $3, team_id = CASE WHEN $4 THEN team_id ELSE $5::uuid END, awaits_assignee = $3::uuid IS NULL AND $5::uuid IS NOT NULL`,
      ...[change.assigneeId, change.teamId === undefined, change.teamId ?? null],
    );
    if (change.teamId !== undefined) await settle(true);
  } else if ('priority' in change) {
    await write('priority = $3', change.priority);
    await settle(true);
  } else if ('isArchived' in change) await write('is_archived = $3', change.isArchived);
  else if ('status' in change) {
    await write('status = $3, snoozed_until = $4::timestamptz', change.status, change.snoozedUntil ?? null);
    await settle(false);
  } else
    await scope.query(
      `UPDATE conversations c SET labels = ARRAY(SELECT jsonb_array_elements_text(n.labels)), version = c.version + 1
         FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, labels jsonb) WHERE c.workspace_id = $1 AND c.id = n.id`,
      [
        scope.workspaceId,
        JSON.stringify(rows.map((row) => ({ id: row.id, labels: labelsAfter(row, change) }))),
      ],
    );
}

/** One fact for all of them. */
async function emitChange(
  scope: WorkspaceScope,
  rows: readonly Row[],
  change: Input['change'],
): Promise<void> {
  const { addLabels = [], removeLabels = [] } =
    'addLabels' in change || 'removeLabels' in change ? change : {};
  const what =
    'assigneeId' in change
      ? change.assigneeId || change.teamId
        ? 'assigned'
        : 'unassigned'
      : 'status' in change
        ? 'status'
        : 'isArchived' in change
          ? 'archived'
          : 'isRead' in change
            ? 'read'
            : 'priority' in change
              ? 'priority'
              : 'labelled';
  await scope.emit({
    type: 'conversations.changed',
    subject: null,
    values: {
      conversationIds: rows.map(({ id }) => id),
      contactIds: [...new Set(rows.map(({ contact_id: contactId }) => contactId))],
      conversations: rows.length,
      change: what,
      assigneeId: 'assigneeId' in change ? change.assigneeId : null,
      teamId: ('assigneeId' in change && change.teamId) || null,
      status: 'status' in change ? change.status : null,
      snoozedUntil: ('status' in change && change.snoozedUntil) || null,
      priority: 'priority' in change ? change.priority : null,
      ...{ added: addLabels, removed: removeLabels },
    },
  });
}

function describe(row: Row): Done['changed'][number]['before'] {
  return {
    assigneeId: row.assignee_id,
    teamId: row.team_id,
    status: row.status,
    priority: row.priority,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    labels: row.labels,
    isArchived: row.is_archived,
  };
}
