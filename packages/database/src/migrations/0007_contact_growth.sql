-- How many contacts of today were added in which quarter of an hour, as the sum of rows, so that growth since any midnight
-- of any time zone is known without counting contacts. Like contact_counts: writers only add, fold_contact_growth makes few rows of many.
CREATE TABLE contact_growth (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  quarter timestamptz NOT NULL,
  contacts integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX contact_growth_workspace ON contact_growth (workspace_id, quarter);
--> statement-breakpoint
CREATE FUNCTION quarter_of(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
  $$ SELECT date_bin('15 minutes', moment, '2000-01-01T00:00:00Z') $$;
--> statement-breakpoint
INSERT INTO contact_growth SELECT workspace_id, quarter_of(created_at), count(*) FROM contacts GROUP BY 1, 2;
--> statement-breakpoint
SELECT guard_workspace('contact_growth');
--> statement-breakpoint
CREATE FUNCTION count_contact_growth() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_growth SELECT workspace_id, quarter_of(created_at), count(*) FROM new_rows GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The workspace is looked up because its own deletion removes contacts when it is already gone.
CREATE FUNCTION count_contact_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_growth SELECT workspace_id, quarter_of(created_at), -count(*) FROM old_rows
   WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = workspace_id) GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_growth AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_growth();
--> statement-breakpoint
CREATE TRIGGER contacts_loss AFTER DELETE ON contacts REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_loss();
--> statement-breakpoint
-- Each row is deleted by exactly one caller, so two folds at once cannot count anything twice.
CREATE FUNCTION fold_contact_growth(folded uuid) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (DELETE FROM contact_growth WHERE workspace_id = folded RETURNING quarter, contacts)
  INSERT INTO contact_growth SELECT folded, quarter, sum(contacts) FROM gone GROUP BY quarter HAVING sum(contacts) <> 0;
$$;
