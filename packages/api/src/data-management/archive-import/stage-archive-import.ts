import { BackupError } from '@app/database/backup/backup-error';
import type { SealedValue } from '@app/database/backup/carry-secrets';
import { ArchiveTooOld, openArchive } from '@app/database/backup/read-in/open-archive';
import { matchPeople, refuseStrangers } from '@app/database/backup/read-in/replace-rows';
import {
  ArchiveInvalid,
  stageArchive,
  type StagedArchive,
  type Staging,
} from '@app/database/backup/read-in/staged-archive';
import type { ArchiveFault } from '@app/domain/data-management/archive-import';
import { OperationFailed, type RunningOperation } from '../../platform/operations/operation-kind.ts';
import { BytesGone, readPieces, StorageFull } from '../../platform/media-store.ts';
import type { Logger } from '../../platform/logger.ts';
import type { HeldConnection } from '../../platform/request-scopes.ts';
import { validateRows } from './validate-rows.ts';

export type ArchiveSource = {
  key: string;
  bytes: number;
  passphrase: string | undefined;
  /** Taken here and never left: ids stay as they were. */
  isBack: boolean;
};

export type Staged = StagedArchive & {
  people: Record<string, string>;
  named: { name: string; email: string; isHere: boolean }[];
  secrets: readonly SealedValue[] | null;
};

/** Reads an archive that lies in the store into tables of the connection, and judges what it holds. @throws {OperationFailed} */
export async function stageArchiveImport(
  held: HeldConnection,
  { parts }: Pick<RunningOperation, 'parts'>,
  { key, bytes, passphrase, isBack }: ArchiveSource,
  staging: Pick<Staging, 'onFile'> & { onRead(bytes: number): void },
): Promise<Staged> {
  async function* read() {
    for await (const piece of readPieces(parts.mediaStore, key, { start: 0, end: bytes - 1 })) {
      staging.onRead(piece.length);
      yield piece;
    }
  }
  return sayFault(parts.logger, async () => {
    const opened = await openArchive(read(), passphrase);
    const staged = await stageArchive(held, opened, { onBytes: () => undefined, ...staging });
    await refuseStrangers(held, staged);
    await validateRows(held, parts.channelKinds);
    return { ...staged, ...(await matchPeople(held, { workspaceId: held.workspaceId, isBack })) };
  });
}

/** What is wrong with an archive, or with where it lies, as why the act failed. */
export async function sayFault<Result>(logger: Logger, work: () => Promise<Result>): Promise<Result> {
  const fail = (fault: ArchiveFault | 'gone') => new OperationFailed(`archive_${fault}`);
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw fail(error.fault);
    if (error instanceof ArchiveTooOld) throw fail('older');
    if (error instanceof ArchiveInvalid) {
      // It names a table and a rule, and no value.
      logger.warn({ err: error }, 'an archive is refused');
      throw Object.assign(fail('invalid'), { cause: error });
    }
    if (error instanceof BytesGone) throw fail('gone');
    throw error instanceof StorageFull ? new OperationFailed('storage_full') : error;
  }
}
