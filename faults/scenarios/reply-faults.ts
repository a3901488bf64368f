import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { auditReplies, enqueueReply, openConversations, waitForReplies } from '../replies.ts';
import { openWorld, pause, type World } from '../world.ts';

const CONVERSATIONS = 20;

/** What the platform does to replies while they leave, one after the other. */
const troubles: Record<string, (world: World, random: () => number) => Promise<void>> = {
  async down(world) {
    for (const endpoint of ['media', 'messages'])
      await world.control('POST', 'errors', { kind: 'cut', endpoint, count: 10_000 });
    await pause(4_000);
    await world.control('DELETE', 'errors');
  },
  async slow(world) {
    await world.setBehaviour({ latencyMs: [500, 2_000] });
    await pause(4_000);
    await world.setBehaviour({ latencyMs: [0, 10] });
  },
  async storm(world, random) {
    const faults = [
      { kind: 'accept-then-cut' },
      { kind: 'cut' },
      { kind: 'hang' },
      { kind: 'garbage' },
      { code: 130429 },
      { code: 131016 },
      { code: 131000 },
      { code: 131056 },
    ];
    for (let at = 0; at < 24; at += 1) {
      const endpoint = random() < 0.4 ? 'media' : 'messages';
      const fault = faults[Math.floor(random() * faults.length)];
      await world.control('POST', 'errors', { ...fault, endpoint, count: 1 + Math.floor(random() * 4) });
      await pause(random() * 200);
    }
    await pause(2_000);
    await world.control('DELETE', 'errors');
  },
};

/** Replies, with files, while the platform is down, slow or full of errors: what leaves does so once, and all are told what became of them. */
export async function replyFaults({ messages = 200, random }: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  try {
    const people = await openConversations(world, CONVERSATIONS);
    await world.setBehaviour({ duplicateRate: 0.3, reorder: 0.5 });
    const sender = world.startSender();
    await sender.ready;
    let left = 0;
    for (const trouble of Object.values(troubles)) {
      const over = trouble(world, random);
      for (let reply = 0; reply < messages; reply += 1, left += 1)
        await enqueueReply(world, people[Math.floor(random() * people.length)]!, left);
      await over;
      await waitForReplies(world);
    }
    await world.quiet();
    await sender.stop();
    return await auditReplies(world, { left });
  } finally {
    await world.close();
  }
}
