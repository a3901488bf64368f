-- A channel of any kind: what its platform calls it, how people know it, and what opens it. Which kinds there are, and what
-- each needs, is known to the code alone. Secrets stay sealed as they are, so that nothing has to be opened here.
ALTER TABLE channels RENAME COLUMN phone_number_id TO address;
--> statement-breakpoint
ALTER TABLE channels RENAME COLUMN display_phone_number TO display_name;
--> statement-breakpoint
ALTER TABLE channels RENAME CONSTRAINT channels_workspace_id_kind_phone_number_id_key TO channels_workspace_id_kind_address_key;
--> statement-breakpoint
DROP TRIGGER announce_channel_change ON channels;
--> statement-breakpoint
-- { "version": of the form of its kind, "values": { … }, "secrets": { each sealed with SECRET_KEY } }
ALTER TABLE channels ADD COLUMN credentials jsonb;
--> statement-breakpoint
UPDATE channels SET credentials = jsonb_build_object(
  'version', 1,
  'values', jsonb_build_object(
    'phoneNumberId', address, 'businessAccountId', business_account_id, 'appId', app_id, 'baseUrl', graph_base_url),
  'secrets', jsonb_build_object(
    'accessToken', access_token_encrypted, 'appSecret', app_secret_encrypted, 'verifyToken', verify_token_encrypted));
--> statement-breakpoint
ALTER TABLE channels
  ALTER COLUMN credentials SET NOT NULL,
  ADD CHECK ((jsonb_typeof(credentials -> 'values') = 'object' AND jsonb_typeof(credentials -> 'secrets') = 'object') IS TRUE),
  DROP CONSTRAINT channels_kind_check,
  DROP COLUMN business_account_id,
  DROP COLUMN app_id,
  DROP COLUMN graph_base_url,
  DROP COLUMN access_token_encrypted,
  DROP COLUMN app_secret_encrypted,
  DROP COLUMN verify_token_encrypted,
  -- Each kind has a rate of its own, and codes of its own: not all are numbers.
  ALTER COLUMN messages_per_second DROP DEFAULT,
  ALTER COLUMN stopped_code TYPE text;
--> statement-breakpoint
CREATE TRIGGER announce_channel_change AFTER UPDATE ON channels FOR EACH ROW
  WHEN ((OLD.kind, OLD.address, OLD.credentials, OLD.is_connected, OLD.messages_per_second)
    IS DISTINCT FROM (NEW.kind, NEW.address, NEW.credentials, NEW.is_connected, NEW.messages_per_second))
  EXECUTE FUNCTION announce_channel_change();
--> statement-breakpoint
-- Nobody ever wrote it: an uploaded file is known by its own id.
ALTER TABLE media DROP COLUMN platform_phone_number_id;
