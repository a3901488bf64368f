-- Tables under the terms of the field (docs/glossary.md). Guards, triggers and rights follow their table.
ALTER TABLE long_acts RENAME TO operations;
--> statement-breakpoint
ALTER TABLE long_act_parts RENAME TO operation_parts;
--> statement-breakpoint
ALTER TABLE operation_parts RENAME COLUMN act_id TO operation_id;
--> statement-breakpoint
ALTER TABLE events_set_aside RENAME TO fact_dead_letters;
--> statement-breakpoint
ALTER TABLE fact_dead_letters RENAME COLUMN set_aside_at TO dead_lettered_at;
--> statement-breakpoint
ALTER TABLE kept_words RENAME TO suppression_list;
--> statement-breakpoint
ALTER TABLE archive_readings RENAME TO archive_imports;
--> statement-breakpoint
-- Constraints and indexes are named after their table.
DO $$
DECLARE
  term record;
  named record;
BEGIN
  FOR term IN SELECT * FROM (VALUES ('operation_parts', 'long_act_parts'), ('operations', 'long_acts'), ('fact_dead_letters', 'events_set_aside'),
      ('suppression_list', 'kept_words'), ('archive_imports', 'archive_readings')) AS t (now_called, was_called) LOOP
    FOR named IN SELECT conname AS name FROM pg_constraint
        WHERE conrelid = format('public.%I', term.now_called)::regclass AND starts_with(conname, term.was_called) LOOP
      EXECUTE format('ALTER TABLE public.%I RENAME CONSTRAINT %I TO %I', term.now_called, named.name,
                     replace(replace(replace(named.name, term.was_called, term.now_called), '_act_id', '_operation_id'), 'set_aside_at', 'dead_lettered_at'));
    END LOOP;
    FOR named IN SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = format('public.%I', term.now_called)::regclass AND starts_with(c.relname, term.was_called) LOOP
      EXECUTE format('ALTER INDEX public.%I RENAME TO %I', named.name, replace(named.name, term.was_called, term.now_called));
    END LOOP;
  END LOOP;
END $$;
