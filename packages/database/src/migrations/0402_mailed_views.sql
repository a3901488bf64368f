-- A saved view comes with the summary of each day, week or month (docs/decisions/125-views-in-summaries.md).
ALTER TABLE report_views ADD COLUMN mail_every text CHECK (mail_every IN ('daily', 'weekly', 'monthly'));
--> statement-breakpoint
ALTER TABLE summaries DROP CONSTRAINT summaries_kind_check;
--> statement-breakpoint
ALTER TABLE summaries ADD CONSTRAINT summaries_kind_check CHECK (kind IN ('daily_summary', 'weekly_report', 'monthly_report'));
