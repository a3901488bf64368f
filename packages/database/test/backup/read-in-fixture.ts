import type pg from 'pg';
import { copyIn } from '../../src/backup/copy-rows.ts';
import { openBackup } from '../../src/backup/read-parts.ts';
import {
  addRows,
  holdRunPlaces,
  matchPeople,
  numberRuns,
  refuseStrangers,
  removeRows,
} from '../../src/backup/read-in/replace-rows.ts';
import { stageArchive, type Staging } from '../../src/backup/read-in/staged-archive.ts';
import { inPieces } from './backup-fixture.ts';

export type Reading = {
  workspaceId: string;
  passphrase?: string;
  isBack?: boolean;
  staging?: Partial<Staging>;
  /** What happens elsewhere once its runs have their numbers. */
  meanwhile?: () => Promise<unknown>;
};

/** Replaces the workspace by the archive as the product does, on a connection that sees this workspace alone. */
export async function readIn(
  client: pg.Client,
  file: Uint8Array,
  { workspaceId, passphrase, isBack = false, staging, meanwhile }: Reading,
) {
  await client.query(`SELECT set_config('app.workspace_id', $1, false), set_config('app.scope', '', false)`, [
    workspaceId,
  ]);
  await client.query('SET ROLE messaging_app');
  try {
    const held = {
      query: client.query.bind(client) as never,
      copyIn: (target: string, next: () => Promise<Uint8Array | null>) => copyIn(client, target, next),
    };
    const staged = await stageArchive(held, await openBackup(inPieces(file), passphrase), {
      onBytes: () => undefined,
      ...staging,
    });
    await refuseStrangers(held, staged);
    const { people, named } = await matchPeople(held, { workspaceId, isBack });
    await numberRuns(held, { isBack });
    await meanwhile?.();
    await client.query('BEGIN');
    await holdRunPlaces(held);
    await removeRows(held, workspaceId);
    const added = await addRows(held, staged, { workspaceId, isBack, people });
    await client.query('COMMIT');
    return { staged, added, people, named };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    await client.query('DISCARD TEMP');
    await client.query('RESET ROLE');
    await client.query(
      `SELECT set_config('app.workspace_id', '', false), set_config('app.scope', 'system', false)`,
    );
  }
}
