import type { Database } from '@app/database/database';
import { databaseTrouble } from '@app/database/query-error';

/** Whether writes have a chance. */
export type StorageState = 'operational' | 'full' | 'read_only';

export type StorageWatch = {
  /** Hears of every request that failed, and keeps in mind that the database refused to write. */
  note(error: unknown): void;
  /** Fails where the database cannot be reached. */
  read(): Promise<StorageState>;
};

/** A refusal counts for so long: by then the next request has tried again. */
const NOTED_MS = 60_000;

/**
 * What is known of the storage of this process.
 *
 * @param isFull asks the disks that the process writes to itself; a database elsewhere says so only when it refuses to write
 */
export function createStorageWatch({
  db,
  clock,
  isFull = async () => false,
}: {
  db: Pick<Database, 'systemPool'>;
  clock: () => Date;
  isFull?: () => Promise<boolean>;
}): StorageWatch {
  let noted: { state: StorageState; at: number } | undefined;
  return {
    note(error) {
      const trouble = databaseTrouble(error);
      if (trouble === 'full' || trouble === 'read_only') noted = { state: trouble, at: clock().getTime() };
    },
    async read() {
      const { rows } = await db.systemPool.query<{ takes_no_writes: boolean }>(
        `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS takes_no_writes`,
      );
      if (rows[0]?.takes_no_writes) return 'read_only';
      if (await isFull()) return 'full';
      const isRecent = noted !== undefined && clock().getTime() - noted.at < NOTED_MS;
      return isRecent && noted ? noted.state : 'operational';
    },
  };
}
