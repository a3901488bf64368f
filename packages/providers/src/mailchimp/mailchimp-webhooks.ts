import { isAddressOfOurs } from '../calls/keyed-address.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import type { MailchimpAsk } from './mailchimp-members.ts';

/** Changes of people and of the owner. Those of programs are left out: they would be echoes of ours. */
export async function subscribeList(ask: MailchimpAsk, list: string, address: string): Promise<void> {
  const known = await listWebhooks(ask, list);
  if (!known || known.some(({ url }) => url === address)) return;
  await unsubscribeList(ask, list, address.replace(/\?.*$/, ''));
  await ask('POST', `/lists/${encodeURIComponent(list)}/webhooks`, {
    url: address,
    events: {
      subscribe: true,
      unsubscribe: true,
      profile: true,
      cleaned: true,
      upemail: true,
      campaign: false,
    },
    sources: { user: true, admin: true, api: false },
  });
}

/** Takes out every webhook to this address of ours, whatever its key. */
export async function unsubscribeList(ask: MailchimpAsk, list: string, url: string): Promise<void> {
  for (const one of (await listWebhooks(ask, list)) ?? [])
    if (isAddressOfOurs(one.url, url))
      await ask('DELETE', `/lists/${encodeURIComponent(list)}/webhooks/${encodeURIComponent(one.id)}`);
}

/** Null for an answer that cannot be read. */
async function listWebhooks(ask: MailchimpAsk, list: string): Promise<{ id: string; url: string }[] | null> {
  const reply = await ask('GET', `/lists/${encodeURIComponent(list)}/webhooks`);
  if (!reply.ok) return null;
  const { webhooks } = recordOf(reply.value.body);
  return (Array.isArray(webhooks) ? webhooks : []).flatMap((raw) => {
    const { id, url } = recordOf(raw);
    return textOf(id) === null || textOf(url) === null ? [] : [{ id: String(id), url: String(url) }];
  });
}
