import type { segment } from '@app/contracts/segments/segments-contract';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import type { CustomFieldType } from '@app/domain/custom-fields/custom-field';
import {
  conditionsOf,
  fieldKindsOf,
  isFieldKind,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type Segment = z.infer<typeof segment>;

type SegmentRow = {
  id: string;
  name: string;
  rules: SegmentRules;
  created_at: Date;
  updated_at: Date;
  version: number;
};

const columns = 'id, name, rules, created_at, updated_at, version';
const MOST_SEGMENTS = 1000;

export async function listSegments(scope: ReadScope): Promise<Segment[]> {
  const { rows } = await scope.query<SegmentRow>(
    `SELECT ${columns} FROM segments WHERE workspace_id = $1 ORDER BY lower(name), id LIMIT ${MOST_SEGMENTS}`,
    [scope.workspaceId],
  );
  return rows.map(presentSegment);
}

export async function findSegment(
  client: SqlQueries,
  workspaceId: string,
  segmentId: string,
): Promise<Segment | null> {
  const { rows } = await client.query<SegmentRow>(
    `SELECT ${columns} FROM segments WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, segmentId],
  );
  return rows[0] ? presentSegment(rows[0]) : null;
}

/** Stores a new segment. Emits `segment.created`. */
export async function addSegment(
  scope: WorkspaceScope,
  { name, rules }: { name: string; rules: SegmentRules },
): Promise<Segment | 'segment_name_taken'> {
  const { rows } = await scope.query<SegmentRow>(
    `INSERT INTO segments (id, workspace_id, name, rules, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
      ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [newId(), scope.workspaceId, name, JSON.stringify(rules), scope.clock()],
  );
  if (!rows[0]) return 'segment_name_taken';
  await scope.emit({ type: 'segment.created', subject: rows[0].id, values: { name } });
  return presentSegment(rows[0]);
}

/** Changes a segment unless it was changed since `version`. Emits `segment.updated`. */
export async function changeSegment(
  scope: WorkspaceScope,
  change: {
    segmentId: string;
    version: number;
    name?: string | undefined;
    rules?: SegmentRules | undefined;
  },
): Promise<Segment | 'segment_not_found' | 'segment_changed' | 'segment_name_taken'> {
  const { rows: found } = await scope.query<{ version: number }>(
    'SELECT version FROM segments WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, change.segmentId],
  );
  if (!found[0]) return 'segment_not_found';
  if (found[0].version !== change.version) return 'segment_changed';
  const rules = change.rules === undefined ? null : JSON.stringify(change.rules);
  let row: SegmentRow;
  try {
    const { rows } = await scope.query<SegmentRow>(
      `UPDATE segments SET name = coalesce($3, name), rules = coalesce($4::jsonb, rules), version = version + 1, updated_at = $5
        WHERE workspace_id = $1 AND id = $2 RETURNING ${columns}`,
      [scope.workspaceId, change.segmentId, change.name ?? null, rules, scope.clock()],
    );
    row = rows[0]!; // locked above
  } catch (error) {
    if (isNameTaken(error)) return 'segment_name_taken';
    throw error;
  }
  await scope.emit({ type: 'segment.updated', subject: row.id, values: { name: row.name } });
  return presentSegment(row);
}

/**
 * Whether every custom field that the rules ask for exists and is of the right type. The fields stay until the
 * transaction ends, so that none is deleted while the segment is being saved.
 */
export async function areFieldsKnown(
  scope: WorkspaceScope,
  rules: SegmentRules | undefined,
): Promise<boolean> {
  const asked = rules ? conditionsOf(rules).filter(({ kind }) => isFieldKind(kind)) : [];
  if (asked.length === 0) return true;
  const { rows } = await scope.query<{ id: string; type: CustomFieldType }>(
    'SELECT id, type FROM custom_fields WHERE workspace_id = $1 AND id = ANY($2) ORDER BY id FOR SHARE',
    [scope.workspaceId, asked.map(({ field }) => field)],
  );
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  return asked.every(({ kind, field = '' }) => {
    const type = types.get(field.toLowerCase());
    return type !== undefined && fieldKindsOf(type).includes(kind);
  });
}

/** Deletes a segment unless a scheduled campaign uses it; null when it is gone. Emits `segment.deleted`. */
export async function removeSegment(
  scope: WorkspaceScope,
  segmentId: string,
): Promise<'segment_not_found' | { usedBy: string } | null> {
  // Locked first: a campaign that is being scheduled with it now is seen below.
  const { rows } = await scope.query<{ name: string }>(
    'SELECT name FROM segments WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, segmentId],
  );
  if (!rows[0]) return 'segment_not_found';
  const { rows: campaigns } = await scope.query<{ name: string }>(
    `SELECT name FROM campaigns WHERE workspace_id = $1 AND status = 'scheduled' AND run_no IS NULL
        AND segments @> jsonb_build_array(jsonb_build_object('id', $2::text)) ORDER BY scheduled_at LIMIT 1`,
    [scope.workspaceId, segmentId],
  );
  if (campaigns[0]) return { usedBy: campaigns[0].name };
  await scope.query('DELETE FROM segments WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    segmentId,
  ]);
  await scope.emit({ type: 'segment.deleted', subject: segmentId, values: { name: rows[0].name } });
  return null;
}

function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'segments_name';
}

function presentSegment(row: SegmentRow): Segment {
  return {
    id: row.id,
    name: row.name,
    rules: row.rules,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}
