import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { leaveMessage } from '@app/delivery/messages/leave-message';
import { inTransaction } from '@app/delivery/transaction';
import { newId } from '@app/database/new-id';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openWorld, pause, waitUntil, type World } from '../world.ts';

const conversations = 20;
const steps = ['random', 'send:before', 'send:during', 'send:after'] as const;

/** `kill -9` of processes that send replies, at random moments and around each call, while a campaign leaves through the same number. */
export async function killReplies({ kills = 40, random }: FaultOptions): Promise<FaultReport> {
  const world = await openWorld();
  const pool = world.database.systemPool;
  try {
    const people = await world.addContacts(conversations);
    for (const contactId of people) await openWindow(world, contactId);
    await world.startRun(await world.addContacts(2_000));
    let left = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const step = steps[kill % steps.length]!;
      const sender = world.startSender(
        step === 'random' ? {} : { crashAt: `${step}@${1 + Math.floor(random() * 20)}` },
      );
      await Promise.race([sender.ready, sender.ended]);
      for (let reply = 0; reply < 10; reply += 1, left += 1)
        await leave(world, people[Math.floor(random() * people.length)]!, `reply ${left}`);
      await Promise.race([sender.ended, pause(step === 'random' ? 20 + random() * 400 : 1_500)]);
      await sender.stop('SIGKILL');
    }
    const last = world.startSender();
    await waitUntil('every reply has come to its end', 120_000, async () => {
      const { rows } = await pool.query(`SELECT FROM messages WHERE state IN ('queued', 'sending') LIMIT 1`);
      return rows.length === 0;
    });
    await world.quiet();
    await last.stop();
    return await audit(world, { kills, left });
  } finally {
    await world.close();
  }
}

async function audit(world: World, figures: { kills: number; left: number }): Promise<FaultReport> {
  const { rows } = await world.database.systemPool.query<{
    no: string;
    attempt: number;
    state: string;
    contact_id: string;
  }>(
    'SELECT send_no AS no, attempt, state, contact_id FROM messages WHERE send_no IS NOT NULL ORDER BY send_no',
  );
  const tags = await readTags(world);
  const timesOf = (no: string) =>
    Array.from({ length: 10 }, (_, place) => formatMessageTag({ no: Number(no), attempt: place + 1 })).reduce(
      (times, tag) => times + tags.filter((one) => one === tag).length,
      0,
    );
  const sent = rows.map((row) => ({ ...row, times: timesOf(row.no) }));
  const doubled = sent.filter(({ times }) => times > 1).length;
  const lost = sent.filter(({ state, times }) => (state === 'accepted') !== times > 0).length;
  const unknown = sent.filter(({ state }) => state === 'unknown').length;
  return {
    isPassed: sent.length === figures.left && doubled === 0 && lost === 0,
    figures: {
      ...figures,
      accepted: sent.filter(({ state }) => state === 'accepted').length,
      'sent twice': doubled,
      'told otherwise than the platform': lost,
      'left in doubt, not sent': unknown,
    },
  };
}

type LedgerPage = { messages: { id: string; biz_opaque_callback_data: string | null; status: string }[] };

/** The tag of every message that the platform has. */
async function readTags(world: World): Promise<string[]> {
  const page = (await world.control('GET', 'messages?limit=50000')) as LedgerPage;
  return page.messages.flatMap(({ biz_opaque_callback_data: tag }) => tag ?? []);
}

async function openWindow({ database, workspaceId, channelId }: World, contactId: string): Promise<void> {
  await database.systemPool.query(
    `WITH opened AS (UPDATE contacts SET window_expires_at = now() + interval '9 hours' WHERE id = $3)
     INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '9 hours')`,
    [newId(), workspaceId, contactId, channelId],
  );
}

function leave({ database, workspaceId, channelId }: World, contactId: string, text: string) {
  return inTransaction(database.systemPool, (client) =>
    leaveMessage(client, {
      ...{
        id: newId(),
        workspaceId,
        channelId,
        contactId,
        address: null,
        content: { type: 'text', body: text },
        text,
      },
      ...{
        purpose: 'reply',
        isMarketing: false,
        needsWindow: false,
        author: { kind: 'bot', id: null, name: 'Bot' },
      },
      ...{ key: null, at: new Date(), giveUpAt: null },
    }),
  );
}
