/**
 * Files whose tests wait for nearly all of their time, for what must take long or must not come: slow lines, a mail server that says
 * nothing, a database that starts. They run side by side, and what needs the processors does not stand in line behind them.
 */
export const waitingFiles = [
  'apps/server/test/mail-jobs.test.ts',
  'packages/database/test/embedded-postgres.test.ts',
];
