import { BackupError, type BackupFault } from '@app/database/backup/backup-error';

const WORDS: Record<BackupFault, string> = {
  foreign: 'it is no backup of this product.',
  newer: 'a newer version of the product wrote it: restore it with that version or a later one.',
  unreleased: 'an unreleased version of the product wrote it: restore it with that very version.',
  truncated: 'it is not complete: it ends too early. Copy it again, or take an earlier one.',
  damaged: 'it is damaged: its bytes are not those that were written. Copy it again, or take an earlier one.',
  passphrase_missing: 'it is encrypted: set BACKUP_PASSPHRASE to its passphrase.',
  passphrase_wrong: 'the passphrase is another one.',
  other_kind: 'it holds one workspace: import it under Settings, Data Management.',
};

const EXPECTED = [
  'CommandRefused',
  'ConfigError',
  'DataDirectoryInUse',
  'ForeignSchema',
  'RestoredOtherwise',
];

/** One sentence for what a person can act on; everything else is a bug and shows where it happened. */
export function explainFailure(error: unknown, file: string): string {
  if (error instanceof BackupError) return `${file} cannot be restored: ${WORDS[error.fault]}`;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return 'The database cannot be reached: look at DATABASE_URL and at its server.';
  return EXPECTED.includes(error.name) ? error.message : (error.stack ?? error.message);
}
