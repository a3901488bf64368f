import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import type { readViewQuery } from '@app/domain/analytics/view-period';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export const filterKinds = [
  ...(['campaign', 'template', 'channel', 'sender', 'tag', 'segment', 'country', 'agent', 'team'] as const),
] as const;
/** What figures are narrowed to; null where it has no name any more. A country is its code (ISO 3166). */
export type NamedFilter = { kind: (typeof filterKinds)[number]; name: string | null };

type Input = ReturnType<typeof readViewQuery>;

/** The filters of a view by their names, in the order of the page. */
export async function readFilters(scope: ReadScope, input: Input): Promise<NamedFilter[]> {
  const { campaignId, templateId, channelId, agentId, teamId, segmentId } = input;
  const { rows } = await scope.query<
    Record<'campaign' | 'template' | 'sender' | 'agent' | 'team' | 'segment', string | null>
  >(
    `SELECT coalesce((SELECT name FROM campaigns WHERE workspace_id = $1 AND id = $2), (SELECT name FROM rollup_names WHERE workspace_id = $1 AND id = $2)) AS campaign,
       coalesce((SELECT name FROM templates WHERE workspace_id = $1 AND id = $3), (SELECT name FROM rollup_names WHERE workspace_id = $1 AND id = $3)) AS template,
       (SELECT coalesce(nullif(display_name, ''), address) FROM channels WHERE workspace_id = $1 AND id = $4) AS sender,
       (SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.user_id = $5) AS agent,
       (SELECT name FROM teams WHERE workspace_id = $1 AND id = $6) AS team,
       (SELECT name FROM segments WHERE workspace_id = $1 AND id = $7) AS segment`,
    [
      ...[scope.workspaceId, campaignId ?? null, templateId ?? null, channelId ?? null, agentId ?? null],
      ...[teamId ?? null, segmentId ?? null],
    ],
  );
  const names = rows[0];
  const asked: Record<NamedFilter['kind'], { value: string | undefined; name: string | null | undefined }> = {
    campaign: { value: campaignId, name: names?.campaign },
    template: { value: templateId, name: names?.template },
    channel: { value: input.channel, name: input.channel && titleOfKind(input.channel) },
    sender: { value: channelId, name: names?.sender },
    tag: { value: input.tag, name: input.tag },
    segment: { value: segmentId, name: names?.segment },
    country: { value: input.country, name: input.country },
    agent: { value: agentId, name: names?.agent },
    team: { value: teamId, name: names?.team },
  };
  return filterKinds.flatMap((kind) => {
    const { value, name } = asked[kind];
    return value === undefined ? [] : [{ kind, name: name ?? null }];
  });
}
