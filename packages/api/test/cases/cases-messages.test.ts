import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWebhook } from '@app/providers/whatsapp-cloud/webhooks/parse-webhook';
import { openArrivals } from '../arrivals.ts';

type Person = { search: string; count: number; optedOut?: boolean; said?: string; visibleName?: boolean };
type Case = {
  contacts?: { name: string; phone: string }[];
  webhooks: unknown[];
  expect: { people?: Person[]; chat?: { search: string; contains: string[] } };
};
type Contact = { id: string; name: string; phone: string; optedOutAt: string | null };

const { admin, arrive } = await openArrivals();

const search = async (term: string) =>
  (await admin.get(`/api/contacts?limit=50&search=${encodeURIComponent(term)}`)).json<{ items: Contact[] }>();

/** The webhooks are of now. */
function readCase(name: string): Case {
  const now = Math.floor(Date.now() / 1000);
  const text = readFileSync(new URL(`inputs/${name}`, import.meta.url), 'utf8')
    .replaceAll('{{run}}', '1')
    .replaceAll(/\{\{now(?:-(\d+))?\}\}/g, (_, back = '0') => String(now - Number(back)));
  return JSON.parse(text) as Case; // a file of ours
}

async function play({ contacts = [], webhooks }: Case): Promise<void> {
  for (const contact of contacts) expect((await admin.post('/api/contacts', contact)).status).toBe(200);
  for (const webhook of webhooks) {
    const events = parseWebhook(JSON.stringify(webhook));
    expect(events).not.toBeNull();
    await arrive(...events!);
  }
}

describe('what customers write', () => {
  test.each([
    'reply-from-other-spelling-brazil.json',
    'opt-out-words.json',
    'everyday-words-after-opt-out.json',
    'name-that-nobody-sees.json',
    'contact-card-with-mail-only.json',
  ])('%s', async (name) => {
    const one = readCase(name);
    await play(one);
    for (const { search: term, count, optedOut, said, visibleName } of one.expect.people ?? []) {
      const { items } = await search(term);
      expect(items, said ?? term).toHaveLength(count);
      if (optedOut !== undefined) expect(items[0]!.optedOutAt !== null, said ?? term).toBe(optedOut);
      if (visibleName) expect(items[0]!.name).toMatch(/[\p{L}\p{N}]/u);
    }
    const { chat } = one.expect;
    if (!chat) return;
    const { items } = await search(chat.search);
    const { items: conversations } = await (
      await admin.get(`/api/contacts/${items[0]!.id}/conversations`)
    ).json<{ items: { id: string }[] }>();
    const messages = await admin.get(`/api/conversations/${conversations[0]!.id}/messages`);
    const text = JSON.stringify(await messages.json());
    for (const part of chat.contains) expect(text).toContain(part);
  });
});
