-- Orders, checkouts and bookings of connected services (docs/guides/integrations.md).
CREATE TABLE integration_items (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  integration_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('order', 'checkout', 'booking')),
  external_id text NOT NULL,
  -- Null while nobody is known whose it is.
  contact_id uuid,
  title text NOT NULL,
  status text NOT NULL,
  amount numeric,
  currency text,
  url text,
  occurred_at timestamptz NOT NULL,
  starts_at timestamptz,
  -- By the vendor's clock.
  remote_updated_at timestamptz NOT NULL,
  -- What workflows find of it.
  "values" jsonb NOT NULL DEFAULT '{}',
  -- Events that were told; each is told once.
  said text[] NOT NULL DEFAULT '{}',
  -- What happens when nothing changes, with the first time of these.
  due jsonb NOT NULL DEFAULT '[]',
  due_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, integration_id) REFERENCES integrations ON DELETE CASCADE,
  UNIQUE (workspace_id, integration_id, type, external_id)
);
--> statement-breakpoint
CREATE INDEX integration_items_person ON integration_items (workspace_id, contact_id, occurred_at DESC) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX integration_items_due ON integration_items (due_at) WHERE due_at IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('integration_items');
--> statement-breakpoint
-- Where the next run begins with them at the vendor.
ALTER TABLE integrations ADD COLUMN items_cursor text;
--> statement-breakpoint
-- Whether an opt-in that was given there, with its source and time, counts here: a person decides.
ALTER TABLE integrations ADD COLUMN takes_opt_ins boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE integration_runs DROP CONSTRAINT integration_runs_phase_check;
--> statement-breakpoint
ALTER TABLE integration_runs ADD CONSTRAINT integration_runs_phase_check CHECK (phase IN ('retry', 'pull', 'apply', 'items', 'push'));
