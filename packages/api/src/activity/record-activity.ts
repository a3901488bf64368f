import { noteIdle } from '@app/database/auth/write-members';
import { KEPT_ACTIVITIES, VIEW_EVERY_MS } from '@app/domain/activity/activity-rules';
import { deleteOldViews } from '../platform/facts/log-entries.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { readLastView } from './activity-queries.ts';

/** Timers of browsers are not exact, and several tabs of one person count once. */
const SOONEST_NEXT_VIEW_MS = VIEW_EVERY_MS - 5_000;

const VIEWED = { dashboard: 'dashboard.viewed' } as const;

/** Emits `dashboard.clicked`. */
export async function recordClick(scope: WorkspaceScope, userId: string, element: string): Promise<void> {
  await scope.emit({ type: 'dashboard.clicked', subject: userId, values: { element } });
  await deleteOldViews(scope, KEPT_ACTIVITIES);
}

/** False when the last view of this page was recorded a moment ago. Emits `dashboard.viewed`. */
export async function recordView(
  scope: WorkspaceScope,
  userId: string,
  page: keyof typeof VIEWED,
): Promise<boolean> {
  const viewed = VIEWED[page];
  const last = await readLastView(scope, userId, viewed);
  if (last && scope.clock().getTime() - last.getTime() < SOONEST_NEXT_VIEW_MS) return false;
  await scope.emit({ type: viewed, subject: userId, values: {} });
  await deleteOldViews(scope, KEPT_ACTIVITIES);
  return true;
}

/** Emits `user.went_idle` or `user.came_back` when that is new. */
export async function recordPresence(scope: WorkspaceScope, userId: string, isIdle: boolean): Promise<void> {
  if (!(await noteIdle(scope, { workspaceId: scope.workspaceId, userId }, isIdle))) return;
  await scope.emit({ type: isIdle ? 'user.went_idle' : 'user.came_back', subject: userId, values: {} });
}
