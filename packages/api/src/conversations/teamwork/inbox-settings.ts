import {
  readInboxSettings,
  type InboxManners,
  type InboxSettings,
} from '@app/domain/conversations/inbox-settings';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type StoredSettings = InboxSettings & { version: number };

export type SettingsChange = Partial<Omit<InboxSettings, keyof InboxManners>> & { version: number };

type Row = { settings: Record<string, unknown>; version: number };

/** How the workspace works in its inbox; version 0 where nobody changed anything. */
export async function findInboxSettings({ query, workspaceId }: ReadScope): Promise<StoredSettings> {
  const { rows } = await query<Row>('SELECT settings, version FROM inbox_settings WHERE workspace_id = $1', [
    workspaceId,
  ]);
  return { ...readInboxSettings(rows[0]?.settings ?? null), version: rows[0]?.version ?? 0 };
}

/** Targets hold for what is opened from now on: what runs keeps the time that it was given. */
export async function changeInboxSettings(
  scope: WorkspaceScope,
  { version, ...changes }: SettingsChange,
): Promise<StoredSettings | 'inbox_settings_changed' | 'conversation_team_unknown'> {
  const before = await findInboxSettings(scope);
  if (before.version !== version) return 'inbox_settings_changed';
  const { version: _, ...settings } = { ...before, ...changes };
  // One that is gone by now stays in what was saved before, and is no reason to refuse the rest.
  const known = teamsIn(before);
  if (
    !(await areTeams(
      scope,
      teamsIn(changes).filter((id) => !known.includes(id)),
    ))
  )
    return 'conversation_team_unknown';
  const { rowCount } = await scope.query(
    `INSERT INTO inbox_settings AS s (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings, version = s.version + 1 WHERE s.version = $3`,
    [scope.workspaceId, JSON.stringify(settings), version],
  );
  if (rowCount === 0) return 'inbox_settings_changed';
  await scope.emit({ type: 'inbox_settings.updated', subject: scope.workspaceId, values: {} });
  return findInboxSettings(scope);
}

/** What customers notice; undefined stays. Who has the other settings open meanwhile hears of it when they save. */
export async function changeInboxManners(
  { query, workspaceId }: WorkspaceScope,
  manners: { [Name in keyof InboxManners]?: InboxManners[Name] | undefined },
): Promise<void> {
  if (Object.values(manners).every((value) => value === undefined)) return;
  await query(
    `INSERT INTO inbox_settings AS s (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = s.settings || excluded.settings, version = s.version + 1`,
    [workspaceId, JSON.stringify(manners)],
  );
}

function teamsIn({
  assignment,
  teamAssignment,
  targetRules = [],
}: Omit<SettingsChange, 'version'>): string[] {
  const named = [assignment?.teamId ?? null, ...targetRules.map(({ teamId }) => teamId)];
  return [...new Set([...named.filter((id) => id !== null), ...Object.keys(teamAssignment ?? {})])];
}

async function areTeams({ query, workspaceId }: ReadScope, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const { rows } = await query<{ teams: number }>(
    'SELECT count(*)::int AS teams FROM teams WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [workspaceId, ids],
  );
  return rows[0]?.teams === ids.length;
}
