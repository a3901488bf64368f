-- What people see of a connected number in Settings, and the version by which two who change it at once are told apart.
ALTER TABLE channels
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN account_name text NOT NULL DEFAULT '',
  -- The number through which the workspace sends where nobody chooses one.
  ADD COLUMN is_default boolean NOT NULL DEFAULT false;
--> statement-breakpoint
CREATE UNIQUE INDEX channels_default ON channels (workspace_id) WHERE is_default;
