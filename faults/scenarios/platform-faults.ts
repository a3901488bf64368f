import { resolveUnknown } from '@app/delivery/run-controls';
import { inTransaction } from '@app/delivery/transaction';
import { auditRuns, type Audit, isClean } from '../audit.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openWorld, pause, type World } from '../world.ts';

const faults = [
  { kind: 'accept-then-cut' },
  { kind: 'cut' },
  { kind: 'hang' },
  { kind: 'garbage' },
  { code: 130429 },
  { code: 131016 },
  { code: 131000 },
  { code: 131056 },
  { code: 131026 },
];

/** One seeded script per campaign of faults on the platform's side, with doubled and reordered webhooks all along. */
export async function platformFaults({
  seeds = 5,
  messages = 1_000,
  random,
}: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const sender = world.startSender();
    await sender.ready;
    const total: Record<string, number> = {};
    let isPassed = true;
    for (let script = 0; script < seeds; script += 1) {
      await world.setBehaviour({
        duplicateRate: random() * 0.5,
        reorder: random(),
        failRate: random() * 0.2,
        latencyMs: [0, Math.ceil(random() * 30)],
        statusDelayMs: Math.ceil(random() * 100),
        seed: Math.ceil(random() * 1e6),
      });
      const runNo = await world.startRun(await world.addContacts(messages));
      const audit = await playScript(world, runNo, random);
      isPassed &&= isClean(audit);
      for (const [name, count] of Object.entries(audit)) total[name] = (total[name] ?? 0) + count;
    }
    await sender.stop();
    return { isPassed, figures: { scripts: seeds, ...total } };
  } finally {
    await world.close();
  }
}

async function playScript(world: World, runNo: number, random: () => number): Promise<Audit> {
  for (let at = 0; at < 12; at += 1) {
    const fault = faults[Math.floor(random() * faults.length)];
    await world.control('POST', 'errors', { ...fault, count: 1 + Math.floor(random() * 6) });
    await pause(random() * 200);
  }
  await world.finish([runNo], 120_000);
  await world.control('DELETE', 'errors');
  await world.quiet();
  await inTransaction(world.database.systemPool, (client) =>
    resolveUnknown(client, runNo, 'mark_not_sent_and_send'),
  );
  await world.finish([runNo], 120_000);
  await world.quiet();
  return auditRuns(world, [runNo]);
}
