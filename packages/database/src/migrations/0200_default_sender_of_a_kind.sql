-- A workspace has a default sender for each kind of channel: a number, and beside it an agent.
DROP INDEX channels_default;
CREATE UNIQUE INDEX channels_default ON channels (workspace_id, kind) WHERE is_default;
