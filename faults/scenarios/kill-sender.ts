import { resolveUnknown } from '@app/delivery/run-controls';
import { inTransaction } from '@app/delivery/transaction';
import { auditRuns, isClean } from '../audit.ts';
import type { FaultReport, FaultOptions } from '../fault-report.ts';
import { openWorld, pause, type SandboxStats, waitUntil, type World } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const perRun = inSmall(50, 1_000);

/** `kill -9` of the sending process at random moments; another one goes on. */
export async function killSender({ kills = 100, random }: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const runNos: number[] = [];
    const restarts: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      if ((await countPending(world, runNos)) < perRun / 2)
        runNos.push(await world.startRun(await world.addContacts(perRun)));
      restarts.push(await sendAndKill(world, 20 + random() * 500));
    }
    return await finishAndAudit(world, runNos, {
      kills,
      'restart → next message, median ms': median(restarts),
      'restart → next message, worst ms': Math.max(...restarts),
    });
  } finally {
    await world.close();
  }
}

const steps = ['claim', 'settle', 'fold', 'send'].flatMap((step) =>
  ['before', 'during', 'after'].map((moment) => `${step}:${moment}`),
);

/** The sending process kills itself at each named step of a send, early and in the middle of its work. */
export async function crashAtEachStep({ kills = 48, random }: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const runNos: number[] = [];
    const reached = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const step = steps[kill % steps.length] ?? 'send:during';
      if ((await countPending(world, runNos)) < perRun / 2)
        runNos.push(await world.startRun(await world.addContacts(perRun)));
      const turn = 1 + Math.floor(random() * (step.startsWith('send') ? 80 : 3));
      const sender = world.startSender({ crashAt: `${step}@${turn}` });
      await Promise.race([sender.ended.then(() => reached.add(step)), pause(15_000)]);
      await sender.stop('SIGKILL');
    }
    return await finishAndAudit(world, runNos, {
      kills,
      'steps reached': `${reached.size} of ${steps.length}`,
    });
  } finally {
    await world.close();
  }
}

/** Milliseconds from the start of the process to its first message. */
async function sendAndKill(world: World, afterMs: number): Promise<number> {
  const before = await countAccepted(world);
  const startedAt = performance.now();
  const sender = world.startSender();
  await sender.ready;
  await waitUntil('the restarted sender sends', 20_000, async () => (await countAccepted(world)) > before);
  const restartMs = Math.round(performance.now() - startedAt);
  await pause(afterMs);
  await sender.stop('SIGKILL');
  return restartMs;
}

/** The operator's part after a crash: those in doubt that the platform never mentioned are sent again, once. */
async function finishAndAudit(
  world: World,
  runNos: number[],
  figures: Record<string, string | number>,
): Promise<FaultReport> {
  const sender = world.startSender();
  await world.finish(runNos);
  await world.quiet();
  const audit = await auditRuns(world, runNos);
  let resent = 0;
  for (const runNo of runNos)
    resent += await inTransaction(world.database.systemPool, (client) =>
      resolveUnknown(client, runNo, 'mark_not_sent_and_send'),
    );
  await world.finish(runNos);
  await world.quiet();
  const afterDecision = await auditRuns(world, runNos);
  await sender.stop();
  const isPassed =
    isClean(audit) && isClean(afterDecision) && afterDecision.accepted === afterDecision.recipients;
  return {
    isPassed,
    figures: {
      ...figures,
      messages: audit.recipients,
      lost: audit.lost + afterDecision.lost,
      doubled: audit.doubled + afterDecision.doubled,
      miscounted: audit.miscounted + afterDecision.miscounted,
      misreported: audit.misreported + afterDecision.misreported,
      'unknown though sent': audit.unknownButSent,
      'shown to the operator, never sent': audit.unknownNotSent,
      'sent on the operator’s word': resent,
      'unknown left': afterDecision.unknownButSent + afterDecision.unknownNotSent,
    },
  };
}

async function countPending(world: World, runNos: number[]): Promise<number> {
  const progress = await world.progress(runNos);
  return progress.reduce((sum, { counters }) => sum + counters.pending, 0);
}

async function countAccepted(world: World): Promise<number> {
  return ((await world.control('GET', 'stats')) as SandboxStats).accepted;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
