import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { MemberChange, Person } from './member-change.ts';

type Row = {
  has_factor: boolean;
  passkey_id: string | null;
  passkey_name: string | null;
  created_at: Date | null;
  last_used_at: Date | null;
};

/** With what a member proves who they are, beside the password; null for who is none. */
export async function readFactors(scope: ReadScope, userId: string) {
  const { rows } = await scope.query<Row>('SELECT * FROM factors_of_member($1)', [userId]);
  const [first] = rows;
  if (!first) return null;
  return {
    hasSecondFactor: first.has_factor,
    passkeys: rows.flatMap(({ passkey_id: id, passkey_name: name, created_at: at, last_used_at: usedAt }) =>
      id === null || name === null || at === null
        ? []
        : [{ id, name, createdAt: at.toISOString(), lastUsedAt: usedAt?.toISOString() ?? null }],
    ),
  };
}

/**
 * Takes away the second factor of somebody who lost it, with the browsers that need none and, where wanted, the passkeys. Every session of
 * theirs ends: whoever has one may be somebody else.
 */
export async function resetFactors(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, removesPasskeys }: { userId: string; removesPasskeys: boolean },
): Promise<
  | Exclude<Awaited<ReturnType<MemberChange['findPerson']>>, Person>
  | 'user_elsewhere'
  | 'factors_missing'
  | { passkeys: number }
> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  const factors = await readFactors(scope, person.id);
  if (!factors?.hasSecondFactor && !(removesPasskeys && factors?.passkeys.length)) return 'factors_missing';
  const { rows } = await scope.query<{ is_found: boolean; passkeys_gone: number }>(
    'SELECT is_found, passkeys_gone FROM reset_factors_of_member($1, $2, $3)',
    [person.id, removesPasskeys, scope.clock()],
  );
  if (!rows[0]?.is_found) return 'user_elsewhere';
  const { passkeys_gone: passkeys } = rows[0];
  await scope.emit({
    type: 'user.factors_reset',
    subject: person.id,
    values: { name: person.name, passkeys },
  });
  return { passkeys };
}
