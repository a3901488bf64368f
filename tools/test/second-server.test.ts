import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';
import { onOneServer } from '../second-server.ts';
import { waitingFiles } from '../waiting-files.ts';

/** What the database itself keeps: promises that a version may keep differently. */
const KEPT_BY_THE_DATABASE =
  /^packages\/(delivery|database)\/(?!test\/embedded-postgres)|race|isolation|acts-once/;

test.each(Object.entries(onOneServer))(
  '%s is left out of the second server with a reason',
  (file, reason) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(reason.length).toBeGreaterThan(20);
    expect(file).not.toMatch(KEPT_BY_THE_DATABASE);
  },
);

test.each(waitingFiles)('%s runs beside the others', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});
