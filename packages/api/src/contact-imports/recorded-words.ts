import { actorOf } from '@app/domain/auth/caller';
import { changeConsent } from '@app/database/contacts/change-consent';
import { readConsentTime } from '@app/domain/messaging/event-time';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportRun } from './import-run.ts';

const AT_ONCE = 5_000;

/**
 * Of several rows with one number only the first that can be is imported, but an opt-out of any of them holds, unless a yes with a later
 * day stands in the first: people who are in a file twice often said no in one place only.
 */
export async function carryOptOuts(held: HeldConnection): Promise<void> {
  await held.query(
    `UPDATE import_rows r SET consent = 'opt_out', said_on = o.said_on, words = o.words
       FROM (SELECT DISTINCT ON (phone) phone, said_on, words
               FROM (SELECT phone, said_on, words, row_number FROM import_rows WHERE consent = 'opt_out'
                     UNION ALL SELECT phone, said_on, words, row_number FROM lost_opt_outs) AS said
              ORDER BY phone, said_on DESC NULLS FIRST, row_number) AS o
      WHERE o.phone = r.phone AND (r.consent, r.said_on) IS DISTINCT FROM ('opt_out', o.said_on)
        AND (r.said_on IS NULL OR o.said_on IS NULL OR o.said_on >= r.said_on)`,
  );
}

type Words = { optOuts: number; optIns: number };

/**
 * Records what the file says about marketing of the people in these rows. It is ordered by the day that the file gives; without one
 * an opt-out counts from the import, and an opt-in outdoes nothing that was ever said. Whoever opted out here stays so, whatever the file
 * says. A try that changes nothing only counts.
 */
export async function recordWords(
  scope: WorkspaceScope,
  { importId, fileName, at, choices }: ImportRun,
  range: { from: number; to: number },
): Promise<Words> {
  if (choices.isDryRun) return countWords(scope, range, choices.duplicates === 'update');
  const { workspaceId } = scope;
  const recordedBy = actorOf(scope.caller).name;
  const said: Words = { optOuts: 0, optIns: 0 };
  for (let from = range.from; from < range.to; from += AT_ONCE) {
    const { rows } = await scope.query<{
      contact_id: string;
      kind: 'opt_in' | 'opt_out';
      said_on: Date | null;
      words: string;
    }>(
      `SELECT c.id AS contact_id, r.consent AS kind, r.said_on, r.words
         FROM import_rows r JOIN contacts c ON c.id = coalesce(r.contact_id, r.id)
        WHERE c.workspace_id = $1 AND r.row_number >= $2 AND r.row_number < $3 AND r.consent IS NOT NULL
          AND (r.consent = 'opt_out' OR c.opted_out_at IS NULL)`,
      [workspaceId, from, Math.min(from + AT_ONCE, range.to)],
    );
    const words = rows.map(({ contact_id: contactId, kind, said_on: saidOn, words: cell }) => ({
      ...{ workspaceId, contactId, kind, recordedBy, source: 'staff' as const },
      text: [fileName, cell].filter(Boolean).join(': '),
      at: new Date(readConsentTime(kind, saidOn?.getTime() ?? 0, at.getTime()).at),
    }));
    await changeConsent(scope, words, { importId, isFresh: true });
    said.optOuts += rows.filter(({ kind }) => kind === 'opt_out').length;
    said.optIns += rows.filter(({ kind }) => kind === 'opt_in').length;
  }
  return said;
}

async function countWords(
  scope: WorkspaceScope,
  { from, to }: { from: number; to: number },
  updates: boolean,
): Promise<Words> {
  const { rows } = await scope.query<Words>(
    `SELECT count(*) FILTER (WHERE consent = 'opt_out')::int AS "optOuts", count(*) FILTER (WHERE consent = 'opt_in')::int AS "optIns"
       FROM import_rows r WHERE row_number >= $2 AND row_number < $3 AND consent IS NOT NULL AND NOT is_double
        AND ($4 OR NOT EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone))
        AND (consent = 'opt_out' OR NOT EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone AND c.opted_out_at IS NOT NULL))`,
    [scope.workspaceId, from, to, updates],
  );
  return rows[0]!; // an aggregate has one row
}
