import type { PlanId } from '@app/domain/landing/plans';
import { settingsParts, type SettingsPart } from '@app/domain/settings/settings-facts';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { SqlQueries } from '../sql-queries.ts';
import type { WorkspaceSettings } from '../workspaces/workspaces-tables.ts';

/**
 * Saves one part of what a workspace has set; what is not named stays. False when another one was saved since `version`
 * was read, and then nothing is changed.
 */
export async function saveWorkspaceSettings(
  client: SqlQueries,
  workspaceId: string,
  {
    part,
    version,
    settings,
    language,
  }: {
    part: SettingsPart;
    version: number;
    settings: Omit<WorkspaceSettings, 'versions'>;
    language?: InterfaceLanguage | undefined;
  },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE workspaces SET language = coalesce($5, language), settings = settings || $4::jsonb
       || jsonb_build_object('versions', coalesce(settings->'versions', '{}') || jsonb_build_object($2::text, $3::integer + 1))
     WHERE id = $1 AND coalesce((settings->'versions'->>$2)::integer, 0) = $3`,
    [workspaceId, part, version, JSON.stringify(settings), language ?? null],
  );
  return rowCount === 1;
}

/**
 * In place of everything that was set stands this; whoever has a page open finds that somebody saved since, also of a part that nobody ever saved. How long
 * what is kept is a promise to people, and stays unless it was a sample's.
 */
export async function resetWorkspaceSettings(
  client: SqlQueries,
  workspaceId: string,
  { settings, keepsRetention }: { settings: Record<string, unknown>; keepsRetention: boolean },
): Promise<void> {
  await client.query(
    `UPDATE workspaces SET language = DEFAULT, settings = $2::jsonb
       || CASE WHEN $4 AND settings ? 'retention' THEN jsonb_build_object('retention', settings -> 'retention') ELSE '{}' END
       || jsonb_build_object('versions',
       (SELECT jsonb_object_agg(part, coalesce((settings->'versions'->>part)::integer, 0) + 1) FROM unnest($3::text[]) AS part))
      WHERE id = $1`,
    [workspaceId, JSON.stringify(settings), settingsParts, keepsRetention],
  );
}

/** False when it was that one already. */
export async function choosePlan(client: SqlQueries, workspaceId: string, plan: PlanId): Promise<boolean> {
  const { rowCount } = await client.query('UPDATE workspaces SET plan = $2 WHERE id = $1 AND plan <> $2', [
    workspaceId,
    plan,
  ]);
  return rowCount === 1;
}
