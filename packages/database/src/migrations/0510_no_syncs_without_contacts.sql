-- A connection that only receives events has no syncs. A failure once started one for it, which never ended.
UPDATE integration_runs r SET status = 'cancelled', ended_at = now(), resume_at = NULL
  FROM integrations i
 WHERE i.workspace_id = r.workspace_id AND i.id = r.integration_id AND i.mapping = '[]'::jsonb AND r.ended_at IS NULL;
--> statement-breakpoint
UPDATE integrations SET next_run_at = NULL WHERE mapping = '[]'::jsonb;
