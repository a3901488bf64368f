-- What a member wrote, for figures by member and team.
CREATE INDEX messages_of_members ON messages (workspace_id, author_id, occurred_at) WHERE author = 'person' AND direction = 'out';
