-- Runs in progress of one flow, in the order of their ids: they are moved to another version a slice at a time, and counted by step.
CREATE INDEX flow_runs_open_of_flow ON flow_runs (flow_id, id) WHERE status = 'running';
