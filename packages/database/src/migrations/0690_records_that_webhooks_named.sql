-- Records that a webhook named and that were not read since: a long run looks for them each few seconds.
CREATE INDEX integration_records_named ON integration_records (workspace_id, integration_id, id) WHERE is_pending AND remote_values IS NULL;
