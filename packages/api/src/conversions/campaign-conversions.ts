import { countConversions } from '@app/database/conversions/count-conversions';
import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import type { LinkPlace } from '@app/domain/links/rewrite-links';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** A campaign has fewer links; the second messages of its fallback have one row each, which are joined here. */
const MOST_LINKS = 200;

type Link = {
  id: string;
  label: string;
  place: LinkPlace;
  target: string;
  isOfFallback: boolean;
  clicked: number;
  clicks: number;
  previews: number;
};

/** Clicks of a campaign by link, taps by suggestion, and what came of them; null when there is no such campaign. */
export async function readCampaignConversions(scope: ReadScope, campaignId: string) {
  const { workspaceId } = scope;
  const { rows: campaigns } = await scope.query<{ runNo: string | null; countsLinks: boolean }>(
    'SELECT run_no AS "runNo", counts_links AS "countsLinks" FROM campaigns WHERE workspace_id = $1 AND id = $2',
    [workspaceId, campaignId],
  );
  const [campaign] = campaigns;
  if (!campaign) return null;
  const { windowDays, countsLinks } = await readConversionSettings(scope, workspaceId);
  const { rows: links } = await scope.query<Link>(
    `SELECT (array_agg(l.id ORDER BY l.id))[1] AS id, l.label, l.place, l.target, l.run_no IS NULL AS "isOfFallback",
            coalesce(sum(c.people), 0)::int AS clicked, coalesce(sum(c.clicks), 0)::int AS clicks, sum(l.previews)::int AS previews
       FROM counted_links l LEFT JOIN (
         SELECT link_id, count(DISTINCT seq) AS people, count(*) AS clicks FROM link_clicks WHERE workspace_id = $1 AND campaign_id = $2 GROUP BY 1) c
         ON c.link_id = l.id
      WHERE l.workspace_id = $1 AND l.campaign_id = $2 AND (l.run_no IS NULL OR l.run_no = $3)
      GROUP BY l.label, l.place, l.target, l.run_no IS NULL ORDER BY 6 DESC, 1 LIMIT ${MOST_LINKS}`,
    [workspaceId, campaignId, campaign.runNo],
  );
  const { rows: people } = await scope.query<{ clicked: number; clicks: number }>(
    `SELECT count(DISTINCT (owner, seq))::int AS clicked, count(*)::int AS clicks FROM link_clicks WHERE workspace_id = $1 AND campaign_id = $2`,
    [workspaceId, campaignId],
  );
  const figures = (await countConversions(scope, { workspaceId, campaignIds: [campaignId] })).get(
    campaignId,
  )!;
  return {
    ...figures,
    ...people[0]!, // an aggregate has one row
    windowDays,
    countsLinks: countsLinks && campaign.countsLinks,
    previews: links.reduce((sum, { previews }) => sum + previews, 0),
    links,
    taps: campaign.runNo === null ? [] : await countTaps(scope, campaign.runNo),
  };
}

type Taps = { label: string; tapped: number; taps: number };

/**
 * Of recipients who replied, within the time of a reply. A tap that quotes its message belongs to it; where the platform quotes nothing, the label tells
 * whether the message has such a suggestion.
 */
async function countTaps({ workspaceId, query }: ReadScope, runNo: string): Promise<Taps[]> {
  const { rows } = await query<Taps>(
    `WITH run AS MATERIALIZED (
       SELECT run_no, channel_id, message FROM delivery_runs WHERE workspace_id = $1 AND run_no = $2
     ), labels AS MATERIALIZED (
       SELECT label, regexp_replace(regexp_replace(label, '([\\\\%_])', '\\\\\\1', 'g'), '\\{\\{[^}]*\\}\\}', '%', 'g') AS pattern
         FROM (SELECT DISTINCT found #>> '{}' AS label
                 FROM run, jsonb_path_query(run.message, '$.**.suggestions[*].text') AS found) AS l
     )
     SELECT coalesce(l.label, m.content->>'title') AS label, count(DISTINCT m.contact_id)::int AS tapped, count(*)::int AS taps
       FROM run JOIN delivery_recipients r ON r.run_no = run.run_no AND r.workspace_id = $1 AND r.replied_at IS NOT NULL
       JOIN messages m ON m.workspace_id = $1 AND m.contact_id = r.contact_id AND m.channel_id = run.channel_id AND m.direction = 'in'
        AND m.type = 'button_reply' AND m.occurred_at >= r.replied_at AND m.occurred_at <= least(r.delivered_at, r.read_at) + interval '24 hours'
       LEFT JOIN LATERAL (SELECT label FROM labels WHERE m.content->>'title' LIKE pattern ORDER BY length(pattern) DESC LIMIT 1) AS l ON true
      WHERE l.label IS NOT NULL OR m.quoted_id = r.provider_message_id
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_LINKS}`,
    [workspaceId, runNo],
  );
  return rows;
}
