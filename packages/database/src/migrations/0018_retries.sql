-- Which campaigns were made of the failed recipients of another one; few are.
CREATE INDEX campaigns_retry_of ON campaigns (workspace_id, (audience ->> 'failedOf')) WHERE audience ->> 'failedOf' IS NOT NULL;
