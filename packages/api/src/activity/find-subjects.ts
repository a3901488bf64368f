import { isPermitted } from '@app/domain/auth/is-permitted';
import { subjectAccess, subjectOf, type OpenKind } from '@app/domain/activity/activity-subjects';
import type { SaidFact } from '../platform/facts/say-fact.ts';
import { personOf } from '@app/domain/auth/caller';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Subject = { kind: OpenKind; id: string };

/** Where each kind still stands, if it does; `wanted` is what is looked for, $3 who asks. */
const standing: Record<OpenKind, string> = {
  contact: 'SELECT FROM contacts t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  segment: 'SELECT FROM segments t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  // Those whom it brought, while one of them is there.
  'contact-import': 'SELECT FROM contacts t WHERE t.workspace_id = $1 AND t.import_id = wanted.id',
  campaign: 'SELECT FROM campaigns t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  template: 'SELECT FROM templates t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  conversation: 'SELECT FROM conversations t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  // What somebody keeps for themself is nobody else's.
  'rcs-message': 'SELECT FROM rcs_messages t WHERE t.workspace_id = $1 AND t.id = wanted.id',
  'quick-reply':
    'SELECT FROM quick_replies t WHERE t.workspace_id = $1 AND t.id = wanted.id AND (t.owner_id IS NULL OR t.owner_id = $3::uuid)',
  user: 'SELECT FROM memberships t WHERE t.workspace_id = $1 AND t.user_id = wanted.id',
  team: 'SELECT FROM teams t WHERE t.workspace_id = $1 AND t.id = wanted.id',
};

const cases = Object.entries(standing).map(([kind, rows]) => `WHEN '${kind}' THEN EXISTS (${rows})`);

/** What entries are about, where it is still there and the caller may open it; in the order of the entries. */
export async function findSubjects(
  scope: ReadScope,
  entries: readonly { fact: SaidFact | null; subjectId: string | null }[],
): Promise<(Subject | null)[]> {
  const { caller } = scope;
  const subjects = entries.map(({ fact, subjectId }) => {
    const subject = fact && subjectOf(fact.type, subjectId, fact.values);
    return subject && isPermitted(caller.permissions, subjectAccess[subject.kind]) ? subject : null;
  });
  const wanted = new Map(subjects.flatMap((one) => (one ? [[one.id, one] as const] : [])));
  if (wanted.size === 0) return subjects;
  const { rows } = await scope.query<{ id: string }>(
    `SELECT wanted.id FROM jsonb_to_recordset($2::jsonb) AS wanted (kind text, id uuid) WHERE CASE wanted.kind ${cases.join(' ')} END`,
    [scope.workspaceId, JSON.stringify([...wanted.values()]), personOf(caller)],
  );
  const there = new Set(rows.map(({ id }) => id));
  return subjects.map((subject) => (subject && there.has(subject.id) ? subject : null));
}
