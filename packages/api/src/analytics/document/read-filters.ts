import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import { reportFilterKinds, type ReportFilterKind } from '@app/domain/analytics/report-filter';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { ReportInput } from '../report-source.ts';

/** What figures are narrowed to; `name` is null where it has none any more. A country is its code (ISO 3166). */
export type NamedFilter = { kind: ReportFilterKind; value: string; name: string | null; isGone: boolean };

/** The filters of a report by their names, in the order of the page. What is deleted is called as it was, where that is known. */
export async function readFilters(
  scope: ReadScope,
  input: Omit<ReportInput, 'from' | 'to' | 'zone'>,
): Promise<NamedFilter[]> {
  const { campaignId, templateId, channelId, agentId, teamId, segmentId, tag } = input;
  const { rows } = await scope.query<
    Record<'campaign' | 'template' | 'sender' | 'agent' | 'team' | 'segment', string | null> & {
      names: { id: string; name: string }[];
      hasTag: boolean;
    }
  >(
    `SELECT (SELECT name FROM campaigns WHERE workspace_id = $1 AND id = $2) AS campaign,
       (SELECT name FROM templates WHERE workspace_id = $1 AND id = $3) AS template,
       (SELECT coalesce(nullif(display_name, ''), address) FROM channels WHERE workspace_id = $1 AND id = $4) AS sender,
       (SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.user_id = $5) AS agent,
       (SELECT name FROM teams WHERE workspace_id = $1 AND id = $6) AS team,
       (SELECT name FROM segments WHERE workspace_id = $1 AND id = $7) AS segment,
       (SELECT coalesce(json_agg(n), '[]') FROM (SELECT id, name FROM rollup_names WHERE workspace_id = $1 AND id IN ($2, $3)) AS n) AS names,
       $8::text IS NOT NULL AND EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.tags @> ARRAY[$8::text]) AS "hasTag"`,
    [
      ...[scope.workspaceId, campaignId ?? null, templateId ?? null, channelId ?? null, agentId ?? null],
      ...[teamId ?? null, segmentId ?? null, tag ?? null],
    ],
  );
  const found = rows[0];
  const lastName = (id: string | undefined) => found?.names.find((one) => one.id === id)?.name ?? null;
  const here = (value: string | undefined, name: string | null | undefined, last: string | null = null) =>
    value === undefined ? [] : [{ value, name: name ?? last, isGone: (name ?? null) === null }];
  const kept = (value: string | undefined, name: string | undefined, isGone = false) =>
    value === undefined ? [] : [{ value, name: name ?? null, isGone }];
  const asked: Record<ReportFilterKind, Omit<NamedFilter, 'kind'>[]> = {
    campaign: here(campaignId, found?.campaign, lastName(campaignId)),
    template: here(templateId, found?.template, lastName(templateId)),
    channel: kept(input.channel, input.channel && titleOfKind(input.channel)),
    sender: here(channelId, found?.sender),
    tag: kept(tag, tag, found?.hasTag === false),
    segment: here(segmentId, found?.segment),
    country: kept(input.country, input.country),
    agent: here(agentId, found?.agent),
    team: here(teamId, found?.team),
  };
  return reportFilterKinds.flatMap((kind) => asked[kind].map((one) => ({ kind, ...one })));
}
