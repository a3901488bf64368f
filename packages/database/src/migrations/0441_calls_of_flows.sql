-- Calls of other services are counted by day.
CREATE INDEX flow_effects_calls ON flow_effects (workspace_id, asked_at) WHERE kind = 'webhook_call';
