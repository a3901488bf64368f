import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import { numberCountries, numberRangesOf } from '@app/domain/settings/calling-codes';
import { listTags } from '../contacts/contacts-queries.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Named = { id: string; name: string };

/** More than these nobody looks through in a list. */
const MOST = 1_000;

/** What the figures of a workspace can be narrowed to, each in the order of its names. */
export async function readChoices(scope: ReadScope) {
  const list = async (text: string) => (await scope.query<Named>(text, [scope.workspaceId, MOST])).rows;
  const tags = await listTags(scope, undefined);
  return {
    tags: tags.items.map(({ tag }) => tag),
    segments: await list(
      'SELECT id, name FROM segments WHERE workspace_id = $1 ORDER BY name COLLATE "und-x-icu", id LIMIT $2',
    ),
    channels: (
      await scope.query<{ kind: string }>(
        'SELECT DISTINCT kind FROM channels WHERE workspace_id = $1 ORDER BY 1',
        [scope.workspaceId],
      )
    ).rows.map(({ kind }) => ({ id: kind, name: titleOfKind(kind) })),
    countries: await listCountries(scope),
    senders: await list(
      `SELECT id, coalesce(nullif(display_name, ''), address) AS name FROM channels WHERE workspace_id = $1 ORDER BY 2, 1 LIMIT $2`,
    ),
    agents: await list(
      `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1
        ORDER BY u.name COLLATE "und-x-icu", u.id LIMIT $2`,
    ),
    teams: await list(
      'SELECT id, name FROM teams WHERE workspace_id = $1 ORDER BY name COLLATE "und-x-icu", id LIMIT $2',
    ),
  };
}

/** Of which countries there are numbers: one look at the index for each code, however many contacts there are. */
async function listCountries(scope: ReadScope): Promise<string[]> {
  const ranges = numberCountries.flatMap((country) =>
    numberRangesOf(country).of.map((range) => ({ country, ...range })),
  );
  const { rows } = await scope.query<{ country: string }>(
    `SELECT DISTINCT k.country FROM unnest($2::text[], $3::text[], $4::text[]) AS k (country, "from", "to")
      WHERE EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone >= k."from" AND c.phone < k."to") ORDER BY 1`,
    [
      scope.workspaceId,
      ranges.map(({ country }) => country),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
    ],
  );
  return rows.map(({ country }) => country);
}
