import type { CampaignAbResult } from '@app/database/campaigns/campaigns-tables';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { mayHear, waysOf } from '@app/domain/notifications/notification-choices';
import { rulesOfKind, type NotificationKind } from '@app/domain/notifications/notification-kinds';
import type { FactType } from '@app/domain/events/fact-catalogue';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { PREFERENCES_HERE } from '../platform/account/wanted-notices.ts';
import type { Find, LookingAt, News } from './news.ts';
import { newsOfPlatform } from './news-of-platform.ts';

/** Whoever began what is over sooner has just seen it; a failure is told in any case. */
const SEEN_TO_THE_END_SECONDS = 15;

/** Which facts are news to somebody, and to whom. */
export const newsOfFacts: Partial<Record<FactType, Find>> = {
  'user.asked_to_join': (_, { subject, actor }) => ({
    ...{ kind: 'approval_asked', userIds: null, subject, values: { name: actor.name } },
  }),
  'data.backup_failed': () => ({ kind: 'backup_failed', userIds: null, subject: null, values: {} }),
  'campaign.completed': async (scope, { subject, values }) =>
    ofCampaign(scope, 'campaign_completed', subject, {
      sent: number(values.sent),
      failed: number(values.failed),
    }),
  // Only the engine tells it; what a person pauses is a fact of its own.
  'campaign.run_changed': async (scope, { subject, values }) =>
    values.state === 'paused' ? ofCampaign(scope, 'campaign_paused', subject) : null,
  'campaign.start_failed': async (scope, { subject }) => ofCampaign(scope, 'campaign_failed', subject),
  'campaign.test_ended': newsOfTest,
  // What a person pauses, or a restore, is known to who did it.
  'workflow.paused': async (scope, { subject, values }) =>
    ['runs_per_minute', 'steps_per_run', 'chain_depth'].includes(text(values.reason) ?? '')
      ? ofWorkflow(scope, subject, { name: text(values.name) ?? '', code: text(values.reason) ?? '' })
      : null,
  'workflow.run_failed': async (scope, { subject, values }) =>
    ofWorkflow(scope, subject, { name: text(values.name) ?? '', code: text(values.code) ?? '' }),
  'conversation.assigned': (_, { subject, values, actor }) => ({
    kind: 'conversation_assigned',
    userIds: values.assigneeId === actor.id ? [] : [text(values.assigneeId)],
    ...{ subject, values: { by: actor.name, isAuto: actor.kind === 'system' ? 'yes' : 'no' } },
  }),
  // Where conversations are assigned by themselves, the one who gets it hears of that.
  'chatbot.handed_over': async (scope, { subject, values }) => {
    const { rows } = await scope.query<{ is_assigned_later: boolean }>(
      `SELECT c.assignee_id IS NULL AND coalesce(s.settings #>> CASE WHEN c.team_id IS NULL THEN ARRAY['assignment', 'mode']
                ELSE ARRAY['teamAssignment', c.team_id::text, 'mode'] END, 'off') <> 'off' AS is_assigned_later
         FROM conversations c LEFT JOIN inbox_settings s ON s.workspace_id = c.workspace_id WHERE c.workspace_id = $1 AND c.id = $2`,
      [scope.workspaceId, subject],
    );
    if (!rows[0] || rows[0].is_assigned_later) return null;
    return {
      ...{ kind: 'conversation_handed_over', userIds: await whoAnswers(scope, subject), subject },
      values: { reason: text(values.reason) ?? '' },
    };
  },
  'conversations.unassigned': (_, { values }) => ({
    ...{ kind: 'conversation_unassigned', userIds: null, subject: null },
    values: { conversations: number(values.conversations) },
  }),
  'conversation.due_soon': async (scope, { subject, values }) => {
    const userIds = await whoAnswers(scope, subject);
    return userIds === null ? null : ofTarget('conversation_due_soon', { userIds, subject, values });
  },
  // What nobody has in hand everybody hears of who could take it.
  'conversation.due_missed': async (scope, { subject, values }) =>
    ofTarget('conversation_due_missed', { userIds: await whoAnswers(scope, subject), subject, values }),
  'conversations.changed': (_, { values, actor }) => ({
    kind: 'conversation_assigned',
    userIds: values.assigneeId === actor.id ? [] : [text(values.assigneeId)],
    ...{ subject: null, values: { by: actor.name, isAuto: 'no' } },
  }),
  'conversation.note_added': newsOfNote,
  'conversation.note_edited': newsOfNote,
  // Whoever waits for an answer sees it fail; nobody watches what was left for later, nor a conversation that they left.
  'message.failed': async (scope, { subject, values }, looking) => {
    const { rows } = await scope.query<{ author_id: string | null; is_scheduled: boolean }>(
      `SELECT author_id, send_at IS NOT NULL AS is_scheduled FROM messages
        WHERE workspace_id = $1 AND id = $2 AND author = 'person'`,
      [scope.workspaceId, subject],
    );
    const [message] = rows;
    const conversationId = text(values.conversationId);
    if (!message) return null;
    const { author_id: authorId, is_scheduled: isScheduled } = message;
    if (!isScheduled && conversationId && authorId && looking(conversationId).includes(authorId)) return null;
    return {
      ...{ kind: isScheduled ? 'scheduled_failed' : 'message_failed', userIds: [authorId] },
      ...{ subject: conversationId, values: { reason: text(values.code) ?? '' } },
    };
  },
  ...newsOfPlatform,
  'conversations.handed_over': (_, { values, actor }) => ({
    kind: 'conversation_assigned',
    userIds: values.to === actor.id ? [] : [text(values.to)],
    ...{ subject: null, values: { by: actor.name } },
  }),
  'long_act.ended': async (scope, { subject, values }) => {
    if (values.state !== 'done' && values.state !== 'failed') return null;
    const { rows } = await scope.query<EndedOperation>(
      `SELECT user_id, name, result, extract(epoch FROM ended_at - created_at)::float8 AS seconds
         FROM operations WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, subject],
    );
    if (values.state === 'done' && (rows[0]?.seconds ?? 0) < SEEN_TO_THE_END_SECONDS) return null;
    return {
      kind: values.state === 'done' ? 'long_act_done' : 'long_act_failed',
      ...{ userIds: [rows[0]?.user_id], subject, values: sayActivity(text(values.kind) ?? '', rows[0]) },
    };
  },
  'summary.made': (_, { subject, values }) => ({
    ...{ kind: values.kind === 'weekly_report' ? 'weekly_report' : 'daily_summary', userIds: [subject] },
    subject: null,
    values: { sent: number(values.sent), answered: number(values.answered), needs: number(values.needs) },
  }),
  'account.new_browser': (_, { subject }) => ({
    ...{ kind: 'new_browser', userIds: [subject], subject: null, values: {} },
  }),
  'team.member_added': (_, { subject, values, actor }) => ({
    kind: 'team_joined',
    userIds: values.userId === actor.id ? [] : [text(values.userId)],
    ...{ subject, values: { team: text(values.team) ?? '' } },
  }),
};

/** Whether somebody has to choose a variant now, or which one won. */
async function newsOfTest(
  scope: ReadScope,
  { subject, values: { outcome } }: StoredFact,
): Promise<News | null> {
  const { rows } = await scope.query<{ result: CampaignAbResult | null; is_cancelled: boolean }>(
    `SELECT ab_result AS result, status = 'cancelled' AS is_cancelled FROM campaigns WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, subject],
  );
  const { result, is_cancelled: isCancelled } = rows[0] ?? {};
  if (!result || isCancelled) return null;
  const { verdict, chosen, plan } = result;
  const winner = verdict?.outcome === 'winner' ? verdict.variant : undefined;
  return ofCampaign(scope, chosen || plan.remaining === 0 ? 'ab_test_ended' : 'ab_test_choice', subject, {
    outcome: text(outcome) ?? '',
    variant: 'ABCD'[winner ?? 0] ?? '',
  });
}

/** Whom a note mentions, in person or with their team; nobody hears of a note of their own. */
function newsOfNote(_: ReadScope, { subject, values, actor }: StoredFact): News {
  const userIds = Array.isArray(values.userIds) ? values.userIds.filter((id) => id !== actor.id) : [];
  return {
    ...{ kind: 'conversation_mentioned', userIds, subject },
    values: { by: actor.name, note: text(values.noteId) ?? '' },
  };
}

export type Listener = { userId: string; isListed: boolean; isMailed: boolean; isPushed: boolean };

/** Of those people the ones who work here, may hear of it and want to. */
export async function findListeners(
  scope: ReadScope,
  { kind, userIds }: Pick<News, 'kind' | 'userIds'>,
): Promise<Listener[]> {
  const { rows } = await scope.query<{
    id: string;
    role: Role;
    overrides: RolePermissionOverrides;
    preferences: Record<string, unknown>;
    has_push: boolean;
  }>({
    name: 'news_find_listeners',
    text: `SELECT u.id, m.role, w.role_permissions AS overrides, ${PREFERENCES_HERE} AS preferences, u.id = ANY (ARRAY(SELECT members_with_push())) AS has_push
       FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.workspace_id = $1 AND m.is_active AND ($2::uuid[] IS NULL OR u.id = ANY ($2))`,
    values: [scope.workspaceId, userIds?.filter((id) => typeof id === 'string') ?? null],
  });
  return rows
    .filter(({ role, overrides }) => mayHear(resolvePermissions(role, overrides), kind))
    .map(({ id, preferences, has_push: hasPush }) => {
      const { inApp, push, email } = waysOf(preferences, kind);
      return {
        userId: id,
        isListed: inApp,
        isMailed: email && !rulesOfKind(kind).hasOwnMail,
        isPushed: push && hasPush,
      };
    })
    .filter(({ isListed, isMailed, isPushed }) => isListed || isMailed || isPushed);
}

/** Of the conversations of a workspace, as this process knows it; elsewhere nobody looks. */
export function whoLooks(
  { workspaceId }: ReadScope,
  { viewers }: Parameters<FactConsumer['handle']>[2],
): LookingAt {
  const shown = new Map(
    (viewers?.list(workspaceId) ?? []).map(({ conversationId, people }) => [
      conversationId,
      people.map(({ id }) => id),
    ]),
  );
  return (conversationId) => shown.get(conversationId) ?? [];
}

type EndedOperation = {
  user_id: string | null;
  name: string;
  result: Record<string, unknown>;
  seconds: number;
};

/** Which act it was, what it was called, and of an import what came of it; one that was only tried says so. */
function sayActivity(kind: string, act: EndedOperation | undefined): News['values'] {
  const { name = '', result: { successful, failed, isDryRun } = {} } = act ?? {};
  const isCheck = isDryRun === 1;
  // A file of all data holds more than the people whom it counts.
  const isCounted =
    kind === 'contact-import' && !isCheck && typeof successful === 'number' && typeof failed === 'number';
  return {
    act: isCheck ? 'contact_check' : kind.replaceAll('-', '_'),
    ...{ name, isNamed: name === '' ? 'no' : 'yes' },
    ...(isCounted && { isCounted: 'yes', successful, failed }),
  };
}

function ofTarget(
  kind: NotificationKind,
  { userIds, subject, values }: Pick<News, 'userIds' | 'subject'> & { values: StoredFact['values'] },
): News {
  return { kind, userIds, subject, values: { target: text(values.target) ?? '' } };
}

/** Whoever has the conversation, else the people of its team; null where it has neither. */
async function whoAnswers(scope: ReadScope, conversationId: string | null): Promise<string[] | null> {
  const { rows } = await scope.query<{ ids: string[] }>(
    `SELECT CASE WHEN c.assignee_id IS NOT NULL THEN ARRAY[c.assignee_id::text]
                 ELSE ARRAY(SELECT x.user_id::text FROM team_members x WHERE x.team_id = c.team_id AND NOT x.is_waiting) END AS ids
       FROM conversations c WHERE c.workspace_id = $1 AND c.id = $2`,
    [scope.workspaceId, conversationId],
  );
  const ids = rows[0]?.ids ?? [];
  return ids.length > 0 ? ids : null;
}

/** Its owner hears of it; everybody who looks after workflows where the owner has left. */
async function ofWorkflow(
  scope: ReadScope,
  workflowId: string | null,
  values: { name: string; code: string },
): Promise<News> {
  const { rows } = await scope.query<{ owner_id: string }>(
    `SELECT f.owner_id FROM flows f JOIN memberships m ON m.workspace_id = f.workspace_id AND m.user_id = f.owner_id AND m.is_active
      WHERE f.workspace_id = $1 AND f.id = $2`,
    [scope.workspaceId, workflowId],
  );
  const owner = rows[0]?.owner_id;
  return {
    ...{ kind: 'workflow_trouble', userIds: owner === undefined ? null : [owner] },
    ...{ subject: workflowId, values },
  };
}

async function ofCampaign(
  scope: ReadScope,
  kind: NotificationKind,
  subject: string | null,
  values: News['values'] = {},
): Promise<News | null> {
  const { rows } = await scope.query<{ name: string; created_by: string | null }>(
    'SELECT name, created_by FROM campaigns WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, subject],
  );
  const [campaign] = rows;
  return campaign
    ? { kind, userIds: [campaign.created_by], subject, values: { name: campaign.name, ...values } }
    : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
