import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Role } from '@app/domain/auth/permissions';
import { TRIAL_DAYS } from '@app/domain/landing/plans';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { makeSlug } from '@app/domain/workspaces/workspace-rules';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type NewWorkspace = { name: string; timeZone: string; language: InterfaceLanguage };

/** Creates a workspace whose only member is its maker. Emits `workspace.created` in the new workspace. */
export async function openWorkspace(
  scope: WorkspaceScope,
  makerId: string,
  { name, timeZone, language }: NewWorkspace,
): Promise<{ workspaceId: string } | 'by_admins' | 'gone'> {
  const workspaceId = newId();
  const now = scope.clock();
  const settings: WorkspaceSettings = { businessName: name, timeZone };
  const { rows } = await scope.query<{ outcome: 'open' | 'by_admins' | 'gone' }>(
    'SELECT open_workspace($1, $2, $3, $4, $5, $6, $7, $8) AS outcome',
    [
      ...[makerId, workspaceId, makeSlug(name, workspaceId.slice(-8)), name, JSON.stringify(settings)],
      ...[language, new Date(now.getTime() + TRIAL_DAYS * 24 * 3_600_000), now],
    ],
  );
  const outcome = rows[0]?.outcome ?? 'gone';
  if (outcome !== 'open') return outcome;
  await scope.in(workspaceId, (there) =>
    there.emit({ type: 'workspace.created', subject: workspaceId, values: { name } }),
  );
  return { workspaceId };
}

export type OwnWorkspace = { workspaceId: string; name: string; role: Role };

/** Where a person is an active member, by name; the sample only on a server that nobody else can reach. */
export async function listOwnWorkspaces(
  client: SqlQueries,
  userId: string,
  isSampleOpen: boolean,
): Promise<OwnWorkspace[]> {
  const { rows } = await client.query<OwnWorkspace>(
    `SELECT w.id AS "workspaceId", coalesce(w.settings->>'businessName', w.name) AS name, m.role
       FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.user_id = $1 AND m.is_active AND (NOT w.is_sample OR $2)
      ORDER BY lower(coalesce(w.settings->>'businessName', w.name)), w.id`,
    [userId, isSampleOpen],
  );
  return rows;
}
