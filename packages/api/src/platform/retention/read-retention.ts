import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { defaultRetention, type RetentionSettings } from '@app/domain/data-management/retention';

/** What a workspace has set; everything else stays until somebody deletes it. */
export function readRetention({ retention }: Pick<WorkspaceSettings, 'retention'>): RetentionSettings {
  return { ...defaultRetention, ...retention };
}
