import pg from 'pg';
import { auditRuns, isClean } from '../audit.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openWorld, pause } from '../world.ts';

/** Every connection to the database is cut at random moments, of the sender and of the web process alike. */
export async function cutDatabase({
  kills = 20,
  messages = 4_000,
  random,
}: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const sender = world.startSender();
    await sender.ready;
    const runNo = await world.startRun(await world.addContacts(messages));
    const admin = new pg.Client({ connectionString: world.testDatabase.url });
    await admin.connect();
    let cuts = 0;
    for (; cuts < kills; cuts += 1) {
      await pause(50 + random() * 400);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
    await admin.end();
    await world.finish([runNo], 60_000);
    await world.quiet();
    const audit = await auditRuns(world, [runNo]);
    await sender.stop();
    return { isPassed: isClean(audit) && audit.unknownNotSent === 0, figures: { cuts, ...audit } };
  } finally {
    await world.close();
  }
}
