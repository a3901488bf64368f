/** Of what closes a backup or an archive: whoever has the file can try as often as they like. */
export const SHORTEST_PASSPHRASE = 8;
export const LONGEST_PASSPHRASE = 1_000;
/** So long an archive lies ready; then it goes by itself. */
export const DAYS_ARCHIVE_KEPT = 7;
/** As many of one workspace lie ready at most: each is as large as all of it. */
export const MOST_ARCHIVES = 5;
