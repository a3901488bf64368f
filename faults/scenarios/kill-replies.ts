import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { auditReplies, enqueueReply, openConversations, waitForReplies } from '../replies.ts';
import { openWorld, pause } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const CONVERSATIONS = 20;
const AT_FIRST = 200;
const named = ['claim', 'upload', 'begin', 'send', 'settle'].flatMap((step) =>
  ['before', 'during', 'after'].map((moment) => `${step}:${moment}`),
);
/** Every named step comes with as many kills at random moments. */
const steps = named.flatMap((step) => ['random', step]);

/** `kill -9` of processes while 200 replies leave, texts, templates and files, and more follow: at random moments and at each step, with a campaign through the same number. */
export async function killReplies({
  kills = steps.length,
  messages = AT_FIRST,
  random,
}: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const people = await openConversations(world, CONVERSATIONS);
    const someone = () => people[Math.floor(random() * people.length)]!;
    await world.startRun(await world.addContacts(inSmall(50, 2_000)));
    let left = 0;
    for (; left < messages; left += 1) await enqueueReply(world, someone(), left);
    for (let kill = 0; kill < kills; kill += 1) {
      const step = steps[kill % steps.length]!;
      const sender = world.startSender(
        step === 'random' ? {} : { crashAt: `${step}@${1 + Math.floor(random() * 10)}` },
      );
      await Promise.race([sender.ready, sender.ended]);
      for (let reply = 0; reply < 10; reply += 1, left += 1) await enqueueReply(world, someone(), left);
      await Promise.race([sender.ended, pause(step === 'random' ? 20 + random() * 400 : 1_500)]);
      await sender.stop('SIGKILL');
    }
    const last = world.startSender();
    await waitForReplies(world);
    await world.quiet();
    await last.stop();
    return await auditReplies(world, { kills, left });
  } finally {
    await world.close();
  }
}
