-- Which numbers a call was about, so that a test waits for a call of its own number, and how our answer began.
ALTER TABLE webhook_calls
  ADD COLUMN channel_ids uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN answer text;
