-- Who has a message is charged for it, also when it was reported as failed before: what came back keeps its row, and says what for.
-- No row points at a recipient or a message: what was spent in a month stays spent when these are deleted, or the workspace is cleared.
ALTER TABLE budget_charges ADD COLUMN given_back_for text CHECK (given_back_for IN ('failure', 'free'));
--> statement-breakpoint
-- Reports of a workspace ask whether there is any at all.
CREATE INDEX budget_charges_failed ON budget_charges (workspace_id) WHERE given_back_for = 'failure';
--> statement-breakpoint
DROP FUNCTION return_charges(uuid, text[]);
--> statement-breakpoint
-- Gives back what tries of one workspace had taken, each once. What the platform calls free stays free, whatever else is reported.
CREATE FUNCTION return_charges(p_workspace uuid, p_refs text[], p_for text DEFAULT 'failure') RETURNS void LANGUAGE sql AS $$
  WITH back AS (
    UPDATE budget_charges SET given_back_for = p_for WHERE ref = ANY(p_refs) AND workspace_id = p_workspace AND given_back_for IS NULL
    RETURNING month, amount
  )
  INSERT INTO budget_returns (workspace_id, month, amount) SELECT p_workspace, month, sum(amount) FROM back GROUP BY month;
  UPDATE budget_charges SET given_back_for = 'free'
   WHERE p_for = 'free' AND ref = ANY(p_refs) AND workspace_id = p_workspace AND given_back_for = 'failure';
$$;
--> statement-breakpoint
-- Takes again what was given back for a failure of a message that somebody has all the same, each once, whether there is room or not.
CREATE FUNCTION take_charges_again(p_workspace uuid, p_refs text[]) RETURNS void LANGUAGE sql AS $$
  WITH again AS (
    UPDATE budget_charges SET given_back_for = NULL WHERE ref = ANY(p_refs) AND workspace_id = p_workspace AND given_back_for = 'failure'
    RETURNING month, amount
  )
  INSERT INTO budget_returns (workspace_id, month, amount) SELECT p_workspace, month, -sum(amount) FROM again GROUP BY month;
$$;
--> statement-breakpoint
-- Whether anything was given back for failures, as it is now and not as the statement began that may have waited for its recipients.
CREATE FUNCTION may_owe_charges(p_workspace uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM budget_charges WHERE workspace_id = p_workspace AND given_back_for = 'failure');
END $$;
