-- A template of the account keeps the locale that it has there, such as `en_US`; the six of the editor stand for themselves. Each locale has one
-- word: that of Brazil is `pt`.
ALTER TABLE templates DROP CONSTRAINT templates_language_check;
--> statement-breakpoint
ALTER TABLE templates ADD CONSTRAINT templates_language_check
  CHECK (language ~ '^[a-z]{2,3}(_[A-Z]{2})?$' AND language <> 'pt_BR');
--> statement-breakpoint
-- What the platform wrote beside the code of its reason.
ALTER TABLE templates ADD COLUMN rejection_text text;
