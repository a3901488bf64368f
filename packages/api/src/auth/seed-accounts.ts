import { hashPassword } from 'better-auth/crypto';
import { and, eq } from 'drizzle-orm';
import { accounts, memberships, users } from '@app/database/auth/auth-tables';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { Database, Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import type { Role } from '@app/domain/auth/permissions';
import { SAMPLE_PASSWORD, sampleAddressOf } from '@app/domain/auth/sample-addresses';

export const SAMPLE_SLUG = 'sample';

export type NewAccount = { email: string; firstName: string; lastName: string; role: Role };

export const SAMPLE_ACCOUNTS = [
  { email: sampleAddressOf.admin, firstName: 'Amara', lastName: 'Okafor', role: 'admin' },
  { email: sampleAddressOf.manager, firstName: 'Mateo', lastName: 'Silva', role: 'manager' },
  { email: sampleAddressOf.agent, firstName: 'Ayla', lastName: 'Kaya', role: 'agent' },
  { email: sampleAddressOf.viewer, firstName: 'Victor', lastName: 'Lindqvist', role: 'viewer' },
] as const satisfies readonly NewAccount[];

/**
 * Creates the sample workspace with its four accounts, or leaves them as they are, and answers the workspace's id.
 * For a server that only its own machine can reach: the password is known to everybody.
 */
export async function seedSampleAccounts(db: Database): Promise<string> {
  const known = await findSampleWorkspace(db);
  if (known) return known;
  const passwordHash = await hashPassword(SAMPLE_PASSWORD);
  return db.inSystem(async (tx) => {
    await tx
      .insert(workspaces)
      .values({ id: newId(), slug: SAMPLE_SLUG, name: 'Sample Business', isSample: true })
      .onConflictDoNothing();
    const [workspace] = await tx
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(and(eq(workspaces.slug, SAMPLE_SLUG), eq(workspaces.isSample, true)));
    if (!workspace) throw new Error(`Another workspace already has the slug ${SAMPLE_SLUG}.`);
    for (const account of SAMPLE_ACCOUNTS) await addAccount(tx, workspace.id, account, passwordHash);
    return workspace.id;
  });
}

/** The workspace when nothing is missing; a start should not hash a password for nothing. */
async function findSampleWorkspace(db: Database): Promise<string | undefined> {
  const { rows } = await db.systemPool.query<{ id: string }>(
    `SELECT id FROM workspaces WHERE slug = $1 AND is_sample
       AND (SELECT count(*) FROM users WHERE email = ANY ($2)) = cardinality($2::text[])`,
    [SAMPLE_SLUG, SAMPLE_ACCOUNTS.map(({ email }) => email)],
  );
  return rows[0]?.id;
}

/** Adds an active account to a workspace; an address that has one already keeps what it has. */
export async function addAccount(
  tx: Queries,
  workspaceId: string,
  { email, firstName, lastName, role }: NewAccount,
  passwordHash: string,
): Promise<void> {
  const id = newId();
  const added = await tx
    .insert(users)
    .values({ id, name: `${firstName} ${lastName}`, email, emailVerified: true, firstName, lastName })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (added.length === 0) return;
  await tx
    .insert(accounts)
    .values({ id: newId(), userId: id, accountId: id, providerId: 'credential', password: passwordHash });
  await tx.insert(memberships).values({ workspaceId, userId: id, role });
}
