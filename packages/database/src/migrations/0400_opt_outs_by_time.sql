-- Reports ask who opted out in a period (packages/database/src/analytics/campaign-opt-outs.ts).
CREATE INDEX contact_consents_opt_outs ON contact_consents (workspace_id, occurred_at) WHERE kind = 'opt_out';
