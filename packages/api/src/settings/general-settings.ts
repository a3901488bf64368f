import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { readGeneralSettings, type GeneralSettings } from '@app/domain/settings/general-settings';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type StoredGeneral = GeneralSettings & { version: number };

/** What the workspace says of itself; version 0 where nobody changed anything. */
export async function findGeneralSettings({ query, workspaceId }: ReadScope): Promise<StoredGeneral> {
  const { rows } = await query<{ settings: WorkspaceSettings; language: InterfaceLanguage }>(
    'SELECT settings, language FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const { settings = {}, language = 'en' } = rows[0] ?? {};
  return { ...readGeneralSettings({ ...settings, language }), version: settings.versions?.general ?? 0 };
}
