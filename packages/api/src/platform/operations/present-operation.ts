import type { operation } from '@app/contracts/operations/operations-contract';
import { personOf, findMissingPermission, type Caller } from '@app/domain/auth/caller';
import { rulesOf, type OperationKindName } from '@app/domain/operations/operation-kinds';
import { findSecondsLeft, isOver, type OperationState } from '@app/domain/operations/operation-state';
import type { z } from 'zod';

export type Operation = z.infer<typeof operation>;

/** What of a row people are told. */
export type OperationRow = {
  id: string;
  kind: OperationKindName;
  subject: string | null;
  name: string;
  state: OperationState;
  phase: string | null;
  user_id: string | null;
  user_name: string;
  total: string | null;
  done: string;
  result: Record<string, number>;
  error_code: string | null;
  error_values: Record<string, string | number>;
  interruptions: number;
  phase_at: Date | null;
  phase_done: string;
  heartbeat_at: Date;
  created_at: Date;
  ended_at: Date | null;
  file_name: string | null;
  file_type: string | null;
  file_until: Date | null;
  file_gone: 'expired' | 'erased' | null;
};

export const operationColumns = `id, kind, subject, name, state, phase, user_id, user_name, total, done, result, error_code, error_values,
  interruptions, phase_at, phase_done, heartbeat_at, created_at, ended_at, file_name, file_type, file_until, file_gone`;

/** Without a sign of life for this long, its process is gone, and the next one is about to take it up. */
const SILENT_FOR_MS = 20_000;

/** Ids and figures: what anybody of the workspace may hear. */
export function presentFigures(row: OperationRow, now: Date) {
  const done = Number(row.done);
  const total = row.total === null ? null : Number(row.total);
  const isSilent = row.state === 'running' && now.getTime() - row.heartbeat_at.getTime() > SILENT_FOR_MS;
  const phaseMs = row.phase_at ? now.getTime() - row.phase_at.getTime() : 0;
  return {
    id: row.id,
    kind: row.kind,
    state: isSilent ? ('interrupted' as const) : row.state,
    phase: row.phase,
    ...{ done, total },
    secondsLeft: isOver(row.state)
      ? null
      : findSecondsLeft({
          done,
          total,
          phaseDone: Number(row.phase_done),
          phaseMs,
        }),
    wasInterrupted: row.interruptions > 0,
  };
}

export function presentOperation(
  row: OperationRow,
  { caller, now }: { caller: Caller; now: Date },
): Operation {
  return {
    ...presentFigures(row, now),
    subject: row.subject,
    name: row.name,
    result: row.result,
    error: row.error_code === null ? null : { code: row.error_code, values: row.error_values },
    file:
      row.file_name !== null && row.file_until !== null && row.file_until > now
        ? { name: row.file_name }
        : null,
    fileGone: row.file_gone ?? (row.file_until !== null && row.file_until <= now ? 'expired' : null),
    isOwn: row.user_id !== null && row.user_id === personOf(caller),
    by: row.user_name,
    mayCancel: rulesOf(row.kind).mayCancel && !isOver(row.state) && row.state !== 'cancelling',
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** Whether the caller may know of acts of this kind at all. */
export function maySee(caller: Caller, kind: OperationKindName): boolean {
  return findMissingPermission(caller, rulesOf(kind).access) === undefined;
}
