-- What came of bringing templates in line with the account of a number (docs/decisions/070-several-numbers.md).
ALTER TABLE channels
  ADD COLUMN templates_sync text CHECK (templates_sync IN ('running', 'done', 'failed')),
  -- The platform's reason, as a sentence.
  ADD COLUMN templates_sync_reason text,
  ADD COLUMN templates_sync_at timestamptz;
