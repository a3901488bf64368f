import { stagedName } from '@app/database/backup/read-in/staged-archive';
import type { SqlQueries } from '@app/database/sql-queries';
import type { ArchiveCounts } from '@app/domain/data-management/archive-import';
import { endOperation } from '../../platform/operations/end-operation.ts';
import {
  OperationCancelled,
  OperationLost,
  OperationFailed,
  type OperationKind,
} from '../../platform/operations/operation-kind.ts';
import { lockOperation } from '../../platform/operations/operation-rows.ts';
import { holdConnection } from '../../platform/request-scopes.ts';
import { countHere, TABLES } from './count-here.ts';
import { withArchiveImport } from './archive-import-operation.ts';
import { keepReport, type ArchiveReport } from './archive-import-rows.ts';
import { stageArchiveImport, type Staged } from './stage-archive-import.ts';

const MOST_PEOPLE = 500;

/** Looks an archive through as reading it in does, up to where that would change something, and keeps what it found. */
export const archiveCheck: OperationKind = {
  name: 'archive-check',
  run: (running) =>
    withArchiveImport(running, ({ reading, source, onRead }) =>
      holdConnection({ ...running.parts, ...running }, async (held) => {
        const staged = await stageArchiveImport(held, running, source, { onRead });
        const report: ArchiveReport = {
          name: await readName(held),
          holds: countStaged(staged),
          ...{ fileBytes: staged.fileBytes, hasSecrets: staged.secrets !== null },
          people: staged.named.slice(0, MOST_PEOPLE),
          replaces: await countHere(held, held.workspaceId),
        };
        await held.change(async (scope) => {
          const now = await lockOperation(scope, running.operation.id, running.operation.run);
          if (!now) throw new OperationLost();
          if (now.state === 'cancelling') throw new OperationCancelled();
          if (!(await keepReport(scope, reading.id, report))) throw new OperationFailed('archive_gone');
          if (!(await endOperation(scope, archiveCheck, running.operation, { state: 'done' })))
            throw new OperationLost();
        });
      }),
    ),
  onEnd: async () => undefined,
};

/** As `countHere` counts: a logo and a thumbnail are no files to people. */
function countStaged({ rows }: Staged): ArchiveCounts {
  const of = (table: string) => rows.get(table) ?? 0;
  const counts = Object.entries(TABLES).map(([kind, table]) => [kind, of(table)]);
  return { ...Object.fromEntries(counts), files: of('media') + of('message_files') } as ArchiveCounts; // of its keys
}

async function readName(held: SqlQueries): Promise<string> {
  const { rows } = await held.query<{ name: string }>(
    `SELECT left(coalesce(nullif(settings->>'businessName', ''), name), 200) AS name FROM ${stagedName('workspaces')}`,
  );
  return rows[0]?.name ?? '';
}
