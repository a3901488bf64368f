-- Whom a retry leaves out, as the campaign that it repeats had it, with the segments of then. The retry keeps it itself: that campaign may be deleted
-- while the retry is repeated in its turn (docs/decisions/089-limits-of-the-workspace.md).
ALTER TABLE campaigns ADD COLUMN left_out jsonb;
--> statement-breakpoint
WITH RECURSIVE tried AS (
  SELECT c.id AS retry_id, (c.audience ->> 'failedOf')::uuid AS of_id, c.workspace_id FROM campaigns c WHERE c.audience ? 'failedOf'
  UNION ALL
  SELECT t.retry_id, (c.audience ->> 'failedOf')::uuid, t.workspace_id
    FROM tried t JOIN campaigns c ON c.id = t.of_id AND c.workspace_id = t.workspace_id WHERE c.audience ? 'failedOf'
)
UPDATE campaigns r SET left_out = jsonb_strip_nulls(jsonb_build_object(
    'except', c.audience -> 'except', 'restDays', c.audience -> 'restDays', 'segments', c.segments))
  FROM tried t JOIN campaigns c ON c.id = t.of_id AND c.workspace_id = t.workspace_id
  WHERE r.id = t.retry_id AND NOT c.audience ? 'failedOf' AND (c.audience ? 'except' OR c.audience ? 'restDays');
