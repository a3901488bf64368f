/** An archive that comes to be read in has so many bytes at most. */
export const MOST_ARCHIVE_BYTES = 20 * 1024 * 1024 * 1024;
/** So long the file lies ready to be looked through and read in. */
export const HOURS_ARCHIVE_IMPORT_STORED = 24;
/** So long what was here before it can be had back. */
export const DAYS_ARCHIVE_IMPORT_UNDOABLE = 7;

/** Why an archive cannot be read in. */
export const archiveFaults = [
  ...(['foreign', 'newer', 'unreleased', 'older', 'truncated', 'damaged', 'other_kind'] as const),
  ...(['passphrase_missing', 'passphrase_wrong', 'invalid', 'too_large', 'empty'] as const),
] as const;
export type ArchiveFault = (typeof archiveFaults)[number];

/** How many of each kind a workspace or an archive has. */
export const archiveCounts = [
  ...(['contacts', 'conversations', 'messages', 'templates', 'campaigns'] as const),
  ...(['segments', 'customFields', 'quickReplies', 'channels', 'files'] as const),
] as const;
export type ArchiveCounts = Record<(typeof archiveCounts)[number], number>;
