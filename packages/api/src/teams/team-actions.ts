import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { lockTeam } from './teams-queries.ts';

export type TeamFields = {
  name: string;
  description: string;
  allowInvites: boolean;
  requireApproval: boolean;
  maxMembers: number;
  features: string[];
};

/** The caller owns it. Answers with its id. */
export async function addTeam(
  scope: WorkspaceScope,
  fields: TeamFields,
): Promise<{ id: string } | 'team_name_taken'> {
  const id = newId();
  const { rowCount } = await scope.query(
    `INSERT INTO teams (id, workspace_id, name, description, allow_invites, require_approval, max_members, features,
                        created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT DO NOTHING`,
    [
      ...[id, scope.workspaceId, fields.name, fields.description, fields.allowInvites],
      ...[fields.requireApproval, fields.maxMembers, fields.features, scope.clock()],
    ],
  );
  if (rowCount === 0) return 'team_name_taken';
  const owner = personOf(scope.caller);
  if (owner !== null)
    await scope.query(
      `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'owner', $4)`,
      [scope.workspaceId, id, owner, scope.clock()],
    );
  await scope.emit({ type: 'team.created', subject: id, values: { team: fields.name } });
  return { id };
}

export type TeamChange = { teamId: string; version: number } & {
  [Name in keyof TeamFields]?: TeamFields[Name] | undefined;
};

/** Null when it is saved. */
export async function changeTeam(
  scope: WorkspaceScope,
  { teamId, version, ...fields }: TeamChange,
): Promise<
  'team_not_found' | 'team_not_yours' | 'team_changed' | 'team_name_taken' | { members: number } | null
> {
  const team = await lockTeam(scope, teamId);
  if (!team) return 'team_not_found';
  if (!team.rights.mayManage) return 'team_not_yours';
  if (team.version !== version) return 'team_changed';
  if (fields.name !== undefined) {
    const taken = await scope.query(
      'SELECT FROM teams WHERE workspace_id = $1 AND lower(name) = lower($2) AND id <> $3',
      [scope.workspaceId, fields.name, teamId],
    );
    if (taken.rowCount !== 0) return 'team_name_taken';
  }
  if (fields.maxMembers !== undefined) {
    const members = await countMembers(scope, teamId);
    if (members > fields.maxMembers) return { members };
  }
  await scope.query(
    `UPDATE teams SET name = coalesce($3, name), description = coalesce($4, description),
            allow_invites = coalesce($5, allow_invites), require_approval = coalesce($6, require_approval),
            max_members = coalesce($7, max_members), features = coalesce($8, features),
            version = version + 1, updated_at = $9
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, teamId, fields.name ?? null, fields.description ?? null],
      ...[fields.allowInvites ?? null, fields.requireApproval ?? null, fields.maxMembers ?? null],
      ...[fields.features ?? null, scope.clock()],
    ],
  );
  await scope.emit({ type: 'team.updated', subject: teamId, values: { team: fields.name ?? team.name } });
  return null;
}

export async function removeTeam(
  scope: WorkspaceScope,
  teamId: string,
): Promise<'team_not_found' | 'team_not_yours' | null> {
  const team = await lockTeam(scope, teamId);
  if (!team) return 'team_not_found';
  if (!team.rights.mayOwn) return 'team_not_yours';
  await scope.query('DELETE FROM teams WHERE workspace_id = $1 AND id = $2', [scope.workspaceId, teamId]);
  await scope.emit({ type: 'team.deleted', subject: teamId, values: { team: team.name } });
  return null;
}

/** Who waits does not count. */
export async function countMembers(scope: WorkspaceScope, teamId: string): Promise<number> {
  const { rows } = await scope.query<{ members: number }>(
    'SELECT count(*)::int AS members FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND NOT is_waiting',
    [scope.workspaceId, teamId],
  );
  return rows[0]?.members ?? 0;
}
