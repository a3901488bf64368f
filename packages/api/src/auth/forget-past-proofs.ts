import type { ApiDependencies } from '../platform/request-context.ts';

/** Mailed links, second steps and challenges that nobody took in their time; strangers can ask for some of them. */
export async function forgetPastProofs({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  await db.systemPool.query('DELETE FROM verifications WHERE expires_at < $1', [clock()]);
}
