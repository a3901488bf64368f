import type { timelineItem } from '@app/contracts/conversations/conversation-values';
import {
  conversationPriorities,
  conversationStatuses,
  type ConversationPriority,
  type ConversationStatus,
} from '@app/domain/conversations/conversation-status';
import type { z } from 'zod';
import { isByProduct } from '../../platform/facts/emit-facts.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

type Act = Extract<z.infer<typeof timelineItem>, { kind: 'act' }>;

type Row = {
  id: string;
  occurred_at: Date;
  user_id: string | null;
  user_name: string;
  fact_type: string;
  /** As the fact of its time told them: of those of earlier versions some are missing. */
  values: {
    change?: string;
    assigneeId?: string | null;
    teamId?: string | null;
    status?: string | null;
    snoozedUntil?: string | null;
    priority?: string | null;
    labels?: string[];
    added?: string[];
    removed?: string[];
    names?: string[];
    name?: string;
  };
  assignee: string | null;
  team: string | null;
};

/** What was done with a conversation, from the entries of the log, with the names that people and teams have by now. */
export async function readActs(scope: ReadScope, ids: readonly string[]): Promise<Act[]> {
  if (ids.length === 0) return [];
  const { rows } = await scope.query<Row>(
    `SELECT a.id, a.occurred_at, a.user_id, a.user_name, a.fact_type, a."values", u.name AS assignee, t.name AS team
       FROM activities a
       LEFT JOIN users u ON u.id = (a."values"->>'assigneeId')::uuid
       LEFT JOIN teams t ON t.id = (a."values"->>'teamId')::uuid
      WHERE a.workspace_id = $1 AND a.id = ANY ($2::uuid[])`,
    [scope.workspaceId, ids],
  );
  return rows.flatMap((row): Act[] => {
    const what = whatOf(row);
    if (!what) return [];
    const isItself = isByProduct({ userId: row.user_id, userName: row.user_name });
    const by = isItself ? null : { id: row.user_id, name: row.user_name };
    return [{ kind: 'act', id: row.id, at: row.occurred_at.toISOString(), by, what }];
  });
}

function whatOf({ fact_type: type, values, assignee, team }: Row): Act['what'] | null {
  const { assigneeId = null, teamId = null, snoozedUntil = null } = values;
  switch (type === 'conversations.changed' ? values.change : type) {
    case 'conversation.assigned':
    case 'assigned':
    case 'unassigned':
      return {
        act: 'assigned',
        to: assigneeId === null ? null : { id: assigneeId, name: assignee },
        team: teamId === null ? null : { id: teamId, name: team },
      };
    case 'conversation.status_changed':
    case 'status':
      return { act: 'status', status: statusOf(values.status), snoozedUntil };
    case 'conversation.prioritised':
    case 'priority':
      return { act: 'priority', priority: priorityOf(values.priority) };
    case 'conversation.labelled':
    case 'labelled':
      return { act: 'labelled', added: values.added ?? values.labels ?? [], removed: values.removed ?? [] };
    case 'contact.merged':
      return { act: 'merged', names: values.names ?? [] };
    case 'contact.unmerged':
      return { act: 'unmerged', names: values.name === undefined ? [] : [values.name] };
    default:
      return null;
  }
}

function statusOf(value: unknown): ConversationStatus {
  return conversationStatuses.find((status) => status === value) ?? 'open';
}

function priorityOf(value: unknown): ConversationPriority {
  return conversationPriorities.find((priority) => priority === value) ?? 'normal';
}
