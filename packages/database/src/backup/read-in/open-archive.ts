import { migrationSteps } from '../../database.ts';
import { BackupError } from '../backup-error.ts';
import { readHeader, type BackupHeader } from '../backup-header.ts';
import { ByteReader } from '../byte-reader.ts';
import { openBackup, type OpenedBackup } from '../read-parts.ts';

/**
 * Archives from here on are read in; what a later migration adds has its default in them. One that changes what rows mean moves this on, or says here
 * what is to be done with those of before.
 */
const OLDEST = '0110_workspace_archives';

/** What is told of an archive without opening it. */
export type ArchiveHead = { createdAt: Date; isEncrypted: boolean };

/** An archive of a version whose rows mean something else by now. */
export class ArchiveTooOld extends Error {
  override name = 'ArchiveTooOld';
}

/**
 * What stands in front of a file, as far as it says whether this version can read it in.
 * @throws {BackupError}
 * @throws {ArchiveTooOld}
 */
export async function readArchiveHead(source: AsyncIterable<Uint8Array>): Promise<ArchiveHead> {
  const { header } = await readHeader(new ByteReader(source));
  validateHeader(header);
  return { createdAt: readTime(header.createdAt), isEncrypted: header.encryption !== null };
}

/** The same, and what comes behind it. @throws {BackupError} @throws {ArchiveTooOld} */
export async function openArchive(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<OpenedBackup> {
  const opened = await openBackup(source, passphrase);
  validateHeader(opened.header);
  return opened;
}

function validateHeader({ kind, steps }: BackupHeader): void {
  if (kind !== 'workspace') throw new BackupError('other_kind');
  const ours = migrationSteps();
  const isKnown = steps.every((hash, place) => ours[place]?.hash === hash);
  if (!isKnown) throw new BackupError(steps.length > ours.length ? 'newer' : 'unreleased');
  if (steps.length <= ours.findIndex(({ name }) => name === OLDEST)) throw new ArchiveTooOld(OLDEST);
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new BackupError('damaged');
  return time;
}
