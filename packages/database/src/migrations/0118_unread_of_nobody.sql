-- What waits unread and belongs to nobody is few among very many: the home of everybody who may answer counts it.
CREATE INDEX conversations_unread_of_nobody ON conversations (workspace_id, last_activity_at DESC, id DESC)
  WHERE unread > 0 AND NOT is_archived AND assignee_id IS NULL;
