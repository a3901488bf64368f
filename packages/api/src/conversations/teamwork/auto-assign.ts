import { chooseAssignee } from '@app/domain/conversations/teamwork/choose-assignee';
import type { AssignmentRule, InboxSettings } from '@app/domain/conversations/inbox-settings';
import type { FactConsumer, StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { holdPeople } from './assign-conversation.ts';
import { findAssignees, type Assignee } from './assignees.ts';
import { findInboxSettings } from './inbox-settings.ts';

const AT_ONCE = 1_000;
/** Within this the bot has seen a conversation that opened. */
const SEEN_MS = 15 * 60_000;

/**
 * Gives conversations to people by themselves, as the workspace or their team wants it. It follows the facts of a workspace one after the other,
 * so that each conversation is given out once and in turn, whichever process does it; what finds nobody waits for whoever comes.
 */
export const autoAssignConversations: FactConsumer = {
  name: 'give-out-conversations',
  order: 'none',
  atDepthLimit: 'hear',
  types: [
    ...(['conversations.opened', 'conversation.assigned', 'conversations.handed_over'] as const),
    ...(['conversation.status_changed', 'conversations.changed'] as const),
    ...(['user.came', 'inbox.available', 'inbox_settings.updated'] as const),
    ...(['chatbot.handed_over', 'chatbot.left_to_people', 'chatbot_settings.updated'] as const),
  ],
  async handle(page, facts) {
    const [first] = facts;
    if (!first) return;
    // What it finds waiting was there before, or is named by one of the facts: those are its cause where it emits.
    const scope = page.causedBy(first);
    const named = new Map(facts.flatMap((fact) => namedBy(fact).map((id) => [id, fact] as const)));
    const causes = (conversationId: string) => page.causedBy(named.get(conversationId) ?? first);
    const settings = await findInboxSettings(page);
    const waitedBefore = await countWaiting(scope);
    const isBotOn = await findBotOn(scope);
    await queueOpened(scope, settings, [
      ...idsOpened(facts, isBotOn),
      ...(facts.some(isBotOff) ? await findLeftByBot(scope) : []),
    ]);
    await autoAssign(scope, settings, causes);
    const waiting = await countWaiting(scope);
    if (waitedBefore === 0 && waiting > 0)
      await scope.emit({
        ...{ type: 'conversations.unassigned', subject: null },
        values: { conversations: waiting },
      });
  },
};

/** A conversation whose facts lead to facts keeps its own depth, whatever else is read with them. */
type CauseOf = (conversationId: string) => WorkspaceScope;

function namedBy({ subject, values: { conversationIds: ids } }: StoredFact): string[] {
  return [...(subject === null ? [] : [subject]), ...(Array.isArray(ids) ? ids.map(String) : [])];
}

/** While the bot is on, it sees first what opens, and says what it hands over or leaves to people. */
function idsOpened(facts: readonly StoredFact[], isBotOn: boolean): string[] {
  return facts.flatMap(({ type, subject, values }) => {
    if (type === 'chatbot.handed_over') return subject === null ? [] : [subject];
    const isFree = type === 'chatbot.left_to_people' || (type === 'conversations.opened' && !isBotOn);
    return isFree && Array.isArray(values.conversationIds) ? values.conversationIds : [];
  });
}

async function findBotOn({ query, workspaceId }: WorkspaceScope): Promise<boolean> {
  const { rowCount } = await query(
    `SELECT FROM bot_settings WHERE workspace_id = $1 AND (settings->>'isEnabled')::boolean`,
    [workspaceId],
  );
  return rowCount !== 0;
}

function isBotOff({ type, values }: StoredFact): boolean {
  return type === 'chatbot_settings.updated' && values.isEnabled === false;
}

/** What the bot talked in, and what opened shortly before it was turned off, which it may not have seen. */
async function findLeftByBot(scope: WorkspaceScope): Promise<string[]> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM conversations WHERE workspace_id = $1 AND status = 'open' AND assignee_id IS NULL AND NOT awaits_assignee
        AND (bot_state->>'status' = 'active' OR opened_at > $2) ORDER BY opened_at LIMIT $3`,
    [scope.workspaceId, new Date(scope.clock().getTime() - SEEN_MS), AT_ONCE],
  );
  return rows.map(({ id }) => id);
}

/** By the team that a conversation has, else by that of the workspace. */
function ruleOf(settings: InboxSettings, teamId: string | null): AssignmentRule {
  const ofTeam = teamId === null ? settings.assignment : settings.teamAssignment[teamId];
  return ofTeam ?? { mode: 'off', maxOpen: null };
}

/** By `$3` and `$4`: whether the team of a conversation `c`, or the workspace where it has none, is among the chosen ones. */
const OF_QUEUES = 'CASE WHEN c.team_id IS NULL THEN $3::boolean ELSE c.team_id = ANY ($4::uuid[]) END';

/** The teams, and null for conversations without one, whose rule is as asked. */
function queuesWhere(settings: InboxSettings, fits: (teamId: string | null) => boolean): [boolean, string[]] {
  return [fits(null), Object.keys(settings.teamAssignment).filter(fits)];
}

function queuesInUse(settings: InboxSettings): [boolean, string[]] {
  return queuesWhere(settings, (teamId) => ruleOf(settings, teamId).mode !== 'off');
}

/** What came back, or is handed over by the bot, goes to the member who had it, unless they work here no more. */
async function queueOpened(
  scope: WorkspaceScope,
  settings: InboxSettings,
  conversationIds: readonly string[],
): Promise<void> {
  if (conversationIds.length === 0) return;
  await scope.query(
    `WITH theirs AS (
       SELECT c.id FROM conversations c WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) AND c.status = 'open'
          AND NOT EXISTS (SELECT FROM memberships m
                           WHERE m.workspace_id = $1 AND m.user_id = c.assignee_id AND m.is_active)
        ORDER BY c.contact_id, c.channel_id FOR NO KEY UPDATE OF c)
     UPDATE conversations c SET assignee_id = NULL, version = c.version + (c.assignee_id IS NOT NULL)::integer,
            awaits_assignee = ${OF_QUEUES}
       FROM theirs WHERE c.id = theirs.id AND (c.assignee_id IS NOT NULL OR ${OF_QUEUES})`,
    [scope.workspaceId, conversationIds, ...queuesInUse(settings)],
  );
}

type Waiting = { id: string; contact_id: string; team_id: string | null };

/** Whoever waits longest first. */
async function autoAssign(scope: WorkspaceScope, settings: InboxSettings, causes: CauseOf): Promise<void> {
  await endWaiting(scope, settings);
  const people = (await findAssignees(scope)).filter(({ isOnline, isAvailable }) => isOnline && isAvailable);
  const choose = (teamId: string | null): Assignee | undefined => {
    const among = teamId ?? settings.assignment.teamId;
    const candidates = people.filter(({ teamIds }) => among === null || teamIds.includes(among));
    const chosen = chooseAssignee(
      ruleOf(settings, teamId),
      candidates.map(({ id: userId, open, lastTurn: last }) => ({ userId, open, lastTurn: last })),
    );
    return candidates.find(({ id }) => id === chosen);
  };
  // What nobody is there for is not read at all, however much it is: behind it others wait who can be served.
  const waiting = await lockWaiting(
    scope,
    queuesWhere(settings, (teamId) => choose(teamId) !== undefined),
  );
  if (waiting.length === 0) return;
  const given: { conversation: Waiting; to: Assignee }[] = [];
  let turn = await lastTurn(scope);
  for (const conversation of waiting) {
    const to = choose(conversation.team_id);
    if (!to) continue;
    turn += 1;
    to.lastTurn = turn;
    to.open += 1;
    given.push({ conversation, to });
  }
  // Who was deactivated since they were found gets nothing: it waits for somebody else.
  const held = await holdPeople(scope, [...new Set(given.map(({ to }) => to.id))]);
  await write(
    scope,
    given.filter(({ to }) => held.has(to.id)),
    causes,
  );
}

/** What somebody has, what is not open any more and what is to be given to nobody waits no longer. */
async function endWaiting(scope: WorkspaceScope, settings: InboxSettings): Promise<void> {
  await scope.query(
    `WITH over AS (
       SELECT c.id FROM conversations c WHERE c.workspace_id = $1 AND c.awaits_assignee
          AND (c.assignee_id IS NOT NULL OR c.status <> 'open' OR NOT ${OF_QUEUES})
        ORDER BY c.contact_id, c.channel_id LIMIT $2 FOR NO KEY UPDATE OF c)
     UPDATE conversations c SET awaits_assignee = false FROM over WHERE c.id = over.id`,
    [scope.workspaceId, AT_ONCE, ...queuesInUse(settings)],
  );
}

async function write(
  scope: WorkspaceScope,
  given: readonly { conversation: Waiting; to: Assignee }[],
  causes: CauseOf,
): Promise<void> {
  if (given.length === 0) return;
  const { workspaceId } = scope;
  await scope.query(
    `UPDATE conversations c SET assignee_id = n.assignee_id, awaits_assignee = false, version = c.version + 1
       FROM unnest($2::uuid[], $3::uuid[]) AS n (id, assignee_id) WHERE c.workspace_id = $1 AND c.id = n.id`,
    [workspaceId, given.map(({ conversation }) => conversation.id), given.map(({ to }) => to.id)],
  );
  const people = [...new Set(given.map(({ to }) => to))];
  await scope.query(
    `INSERT INTO inbox_people (workspace_id, user_id, last_turn) SELECT $1, n.* FROM unnest($2::uuid[], $3::bigint[]) AS n
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET last_turn = excluded.last_turn`,
    [workspaceId, people.map(({ id }) => id), people.map((person) => person.lastTurn)],
  );
  const byCause = Map.groupBy(given, ({ conversation }) => causes(conversation.id).cause?.id);
  for (const alike of byCause.values())
    await causes(alike[0]!.conversation.id).emitMany(
      // no group is empty
      alike.map(({ conversation, to }) => ({
        type: 'conversation.assigned',
        subject: conversation.id,
        values: {
          contactIds: [conversation.contact_id],
          ...{ assigneeId: to.id, before: null, teamId: conversation.team_id },
        },
      })),
    );
}

/** Locked in the order in which everybody locks conversations, and given out in that in which they wait. */
async function lockWaiting(scope: WorkspaceScope, queues: [boolean, string[]]): Promise<Waiting[]> {
  const [hasNoTeam, teams] = queues;
  if (!hasNoTeam && teams.length === 0) return [];
  const isWaiting = `c.workspace_id = $1 AND c.awaits_assignee AND c.assignee_id IS NULL AND c.status = 'open' AND ${OF_QUEUES}`;
  const { rows } = await scope.query<{ id: string }>(
    `SELECT c.id FROM conversations c WHERE ${isWaiting} ORDER BY c.opened_at, c.id LIMIT $2`,
    [scope.workspaceId, AT_ONCE, ...queues],
  );
  if (rows.length === 0) return [];
  const locked = await scope.query<Waiting>(
    `SELECT c.id, c.contact_id, c.team_id FROM conversations c WHERE c.id = ANY ($2::uuid[]) AND ${isWaiting}
      ORDER BY c.contact_id, c.channel_id FOR NO KEY UPDATE`,
    [scope.workspaceId, rows.map(({ id }) => id), ...queues],
  );
  const found = new Map(locked.rows.map((row) => [row.id, row]));
  return rows.flatMap(({ id }) => found.get(id) ?? []);
}

async function lastTurn({ query, workspaceId }: WorkspaceScope): Promise<number> {
  const { rows } = await query<{ turn: number | null }>(
    'SELECT max(last_turn)::float8 AS turn FROM inbox_people WHERE workspace_id = $1',
    [workspaceId],
  );
  return rows[0]?.turn ?? 0;
}

async function countWaiting({ query, workspaceId }: WorkspaceScope): Promise<number> {
  const { rows } = await query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM conversations WHERE workspace_id = $1 AND awaits_assignee AND assignee_id IS NULL
        AND status = 'open'`,
    [workspaceId],
  );
  return rows[0]?.waiting ?? 0;
}
