-- The inbox of analytics counts who waits for an answer now: few of all conversations, alone, by sender, member or team.
CREATE INDEX conversations_waiting ON conversations (workspace_id, channel_id, assignee_id, team_id) WHERE waiting_since IS NOT NULL AND NOT is_archived;
