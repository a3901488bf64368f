import { ENDED_SESSION_DAYS } from '@app/domain/users/member-rules';
import type { ApiDependencies } from '../../platform/request-context.ts';

/** Sessions that have been over for a while leave the list, and with them where they came from. */
export async function deleteOldSessions({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - ENDED_SESSION_DAYS * 24 * 3_600_000);
  await db.systemPool.query('DELETE FROM sessions WHERE expires_at < $1 OR ended_at < $1', [before]);
}
