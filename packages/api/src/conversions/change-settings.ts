import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import type { ConversionSettings } from '@app/domain/conversions/conversion-settings';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** False when they were changed since `version`. Emits `conversion_settings.updated`. */
export async function changeConversionSettings(
  scope: WorkspaceScope,
  { windowDays, countsLinks, version }: ConversionSettings & { version: number },
): Promise<boolean> {
  if ((await readConversionSettings(scope, scope.workspaceId)).version !== version) return false;
  const { rowCount } = await scope.query(
    `INSERT INTO conversion_settings AS s (workspace_id, window_days, counts_links, version) VALUES ($1, $2, $3, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET window_days = excluded.window_days, counts_links = excluded.counts_links, version = s.version + 1
      WHERE s.version = $4`,
    [scope.workspaceId, windowDays, countsLinks, version],
  );
  if (rowCount === 0) return false;
  const values = { windowDays, countsLinks };
  await scope.emit({ type: 'conversion_settings.updated', subject: scope.workspaceId, values });
  return true;
}
