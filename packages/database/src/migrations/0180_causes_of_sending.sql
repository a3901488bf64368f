-- What led to a message or to the start of a campaign: a fact, or the run of a flow. What becomes of them names it, so that a
-- loop through the engine is counted like any other (docs/decisions/100-cause-and-caller-go-along.md). Null for what a person began.
ALTER TABLE messages ADD COLUMN cause jsonb;
ALTER TABLE delivery_runs ADD COLUMN cause jsonb;
