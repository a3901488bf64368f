import { stagedName } from '@app/database/backup/read-in/staged-archive';
import type { SqlQueries } from '@app/database/sql-queries';
import type { ArchiveCounts } from '@app/domain/data-management/archive-reading';
import { endAct } from '../../platform/long-acts/end-act.ts';
import {
  ActCancelled,
  ActLost,
  ActFailed,
  type LongActKind,
} from '../../platform/long-acts/long-act-kind.ts';
import { lockAct } from '../../platform/long-acts/long-act-rows.ts';
import { holdConnection } from '../../platform/request-scopes.ts';
import { countHere, TABLES } from './count-here.ts';
import { withReading } from './reading-act.ts';
import { keepReport, type ArchiveReport } from './reading-rows.ts';
import { stageReading, type Staged } from './stage-reading.ts';

const MOST_PEOPLE = 500;

/** Looks an archive through as reading it in does, up to where that would change something, and keeps what it found. */
export const archiveCheck: LongActKind = {
  name: 'archive-check',
  run: (running) =>
    withReading(running, ({ reading, source, onRead }) =>
      holdConnection({ ...running.parts, ...running }, async (held) => {
        const staged = await stageReading(held, running, source, { onRead });
        const report: ArchiveReport = {
          name: await readName(held),
          holds: countStaged(staged),
          ...{ fileBytes: staged.fileBytes, hasSecrets: staged.secrets !== null },
          people: staged.named.slice(0, MOST_PEOPLE),
          replaces: await countHere(held, held.workspaceId),
        };
        await held.change(async (scope) => {
          const now = await lockAct(scope, running.act.id, running.act.run);
          if (!now) throw new ActLost();
          if (now.state === 'cancelling') throw new ActCancelled();
          if (!(await keepReport(scope, reading.id, report))) throw new ActFailed('archive_gone');
          if (!(await endAct(scope, archiveCheck, running.act, { state: 'done' }))) throw new ActLost();
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
