import {
  usualConversionSettings,
  type ConversionSettings,
} from '@app/domain/conversions/conversion-settings';
import type { SqlQueries } from '../sql-queries.ts';

/** Of a workspace; version 0 where nobody changed anything. */
export async function readConversionSettings(
  client: SqlQueries,
  workspaceId: string,
): Promise<ConversionSettings & { version: number }> {
  const { rows } = await client.query<ConversionSettings & { version: number }>(
    `SELECT window_days AS "windowDays", counts_links AS "countsLinks", version FROM conversion_settings WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows[0] ?? { ...usualConversionSettings, version: 0 };
}
