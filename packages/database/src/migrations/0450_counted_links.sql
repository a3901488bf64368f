-- Links of messages that lead through the product to their targets (docs/decisions/116-counted-links-and-conversions.md). They outlive their campaign: messages that people hold lead on.
CREATE TABLE counted_links (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  code text NOT NULL UNIQUE,
  -- Signs the codes of recipients. It is stored so that links work after a restore.
  key text NOT NULL,
  target text NOT NULL,
  label text NOT NULL,
  place text NOT NULL CHECK (place IN ('suggestion', 'button', 'text')),
  -- False: it leads on, and nothing is counted.
  is_counted boolean NOT NULL,
  campaign_id uuid,
  channel_id uuid NOT NULL,
  template_id uuid,
  content_id uuid,
  -- Of a campaign; the place in it is in the code. Else of a message to one contact.
  run_no bigint,
  -- The run, or the one message: links of one owner belong together.
  owner text NOT NULL,
  contact_id uuid,
  -- Requests of programs that show a preview of the page.
  previews bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX counted_links_campaign ON counted_links (workspace_id, campaign_id) WHERE campaign_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX counted_links_contact ON counted_links (contact_id) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('counted_links');
--> statement-breakpoint
-- Clicks of people. Two within ten seconds are one.
CREATE TABLE link_clicks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  link_id uuid NOT NULL REFERENCES counted_links ON DELETE CASCADE,
  campaign_id uuid,
  -- As of the link: one recipient is one seq of it.
  owner text NOT NULL,
  seq integer NOT NULL,
  contact_id uuid,
  clicked_at timestamptz NOT NULL,
  ten_seconds bigint NOT NULL,
  -- The first click of this recipient on any link of the message.
  is_first boolean NOT NULL,
  UNIQUE (link_id, seq, ten_seconds)
);
--> statement-breakpoint
CREATE UNIQUE INDEX link_clicks_first ON link_clicks (owner, seq) WHERE is_first;
--> statement-breakpoint
CREATE INDEX link_clicks_recipient ON link_clicks (owner, seq);
--> statement-breakpoint
CREATE INDEX link_clicks_campaign ON link_clicks (workspace_id, campaign_id, clicked_at);
--> statement-breakpoint
CREATE INDEX link_clicks_contact ON link_clicks (workspace_id, contact_id, clicked_at) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('link_clicks');
--> statement-breakpoint
-- Whether links of a campaign are counted, where the workspace counts any.
ALTER TABLE campaigns ADD COLUMN counts_links boolean NOT NULL DEFAULT true;
--> statement-breakpoint
-- What people did that a message was for: by the API, or an order of a connected shop. Attributed to the last click before it.
CREATE TABLE conversions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact_id uuid,
  source text NOT NULL CHECK (source IN ('api', 'shop')),
  -- Of the caller, or the item of the shop: each counts once.
  external_id text NOT NULL,
  name text NOT NULL,
  value numeric(18, 4),
  currency text,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  -- An order that was cancelled or refunded counts no more.
  cancelled_at timestamptz,
  -- The last click before it, within the longest window.
  clicked_at timestamptz,
  link_id uuid,
  campaign_id uuid,
  channel_id uuid,
  template_id uuid,
  content_id uuid,
  UNIQUE (workspace_id, source, external_id)
);
--> statement-breakpoint
CREATE INDEX conversions_campaign ON conversions (workspace_id, campaign_id) WHERE campaign_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX conversions_time ON conversions (workspace_id, occurred_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX conversions_contact ON conversions (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('conversions');
--> statement-breakpoint
CREATE TABLE conversion_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  -- Days after a click within which a conversion belongs to it.
  window_days integer NOT NULL CHECK (window_days BETWEEN 1 AND 90),
  counts_links boolean NOT NULL,
  version integer NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('conversion_settings');
--> statement-breakpoint
-- The click of a recipient, and their first one of the message in the rollups. Nothing is stored for a second one within ten seconds, for a place that the
-- run does not have, and beyond a hundred of one recipient: a program that asks again and again fills nothing.
CREATE FUNCTION record_link_click(p_id uuid, p_link uuid, p_seq integer, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  link counted_links;
  contact uuid;
  first boolean;
BEGIN
  SELECT * INTO link FROM counted_links WHERE id = p_link AND is_counted;
  IF NOT FOUND THEN RETURN; END IF;
  IF link.run_no IS NULL THEN
    contact := link.contact_id;
    IF contact IS NULL OR p_seq <> 0 THEN RETURN; END IF;
  ELSE
    SELECT r.contact_id INTO contact FROM delivery_recipients r
      WHERE r.run_no = link.run_no AND r.seq = p_seq AND r.workspace_id = link.workspace_id;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO link_clicks (id, workspace_id, link_id, campaign_id, owner, seq, contact_id, clicked_at, ten_seconds, is_first)
    SELECT p_id, link.workspace_id, link.id, link.campaign_id, link.owner, p_seq, contact, p_at, floor(extract(epoch FROM p_at) / 10),
           NOT EXISTS (SELECT FROM link_clicks c WHERE c.owner = link.owner AND c.seq = p_seq)
     WHERE (SELECT count(*) FROM link_clicks c WHERE c.owner = link.owner AND c.seq = p_seq) < 100
    ON CONFLICT DO NOTHING RETURNING is_first INTO first;
  IF first THEN
    INSERT INTO message_rollup_deltas (workspace_id, quarter, channel_id, campaign_id, template_id, author, direction, clicked)
      VALUES (link.workspace_id, quarter_of(p_at), link.channel_id, CASE WHEN link.run_no IS NOT NULL THEN link.campaign_id END,
              link.template_id, CASE WHEN link.run_no IS NULL THEN 'automation' ELSE 'campaign' END, 'out', 1);
  END IF;
END $$;
