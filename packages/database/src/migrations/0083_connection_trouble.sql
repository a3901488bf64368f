-- What the platform said last against what opens a number, by a check or because it refused a question (docs/decisions/070-several-numbers.md).
ALTER TABLE channels
  ADD COLUMN trouble text,
  -- What it is about, such as the permissions that are missing.
  ADD COLUMN trouble_detail text,
  ADD COLUMN trouble_at timestamptz,
  ADD CONSTRAINT channels_trouble_told CHECK ((trouble IS NULL) = (trouble_at IS NULL));
