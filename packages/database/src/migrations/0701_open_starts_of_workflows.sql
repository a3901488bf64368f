-- How many starts of a workflow wait is asked for each slice of a sweep: without reading those that are settled.
CREATE INDEX flow_starts_open_of_flow ON flow_starts (flow_id) WHERE state = 'open';
