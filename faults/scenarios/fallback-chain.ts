import { newId } from '@app/database/new-id';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause } from '../world.ts';

const TAG = 'chain';
/** Of the first message. */
const LIMIT_SECONDS = 10;
const PATIENCE_MS = 1_200_000;
const EXPIRIES = ['revoked', 'revoke_failed', 'none'] as const;

type Recipient = {
  phone: string;
  outcome: string;
  errorCode: string | null;
  fallback: { state: string; code: string | null } | null;
};
type Campaign = {
  status: string;
  counts: Record<string, number>;
  fallbackCounts: Record<string, number> | null;
};

/**
 * A campaign of 2,000 with a fallback: 60 % have RCS, 30 % WhatsApp alone, 10 % neither. Two processes, either of which is killed again and again,
 * while phones go off and on, lose RCS and get it, platforms answer slowly, report twice, late and in any order, and time limits end with every
 * kind of report and with none. Nobody gets two messages, and who gets none is shown as unknown, failed or left out.
 */
export async function fallBackInChain({
  kills = 12,
  messages = 2_000,
  random,
}: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  try {
    const { campaignId, phones } = await prepare(product, messages);
    const part = (share: number) => Math.round(messages * share);
    const [withRcs, withoutRcs] = [phones.slice(0, part(0.6)), phones.slice(part(0.6), part(0.9))];
    const neither = phones.slice(part(0.9));
    // Of those with RCS some are off, some are slow or refused at first, and of some nothing is heard.
    const off = withRcs.slice(0, part(0.1));
    const silent = withRcs.slice(part(0.1), part(0.12));
    await switchPhones(product, off, 'offline');
    await switchPhones(product, silent, 'silent');
    for (const [n, behaviour] of (['slow', 'server_error', 'quota'] as const).entries())
      await switchPhones(product, withRcs.slice(part(0.12 + n * 0.01), part(0.13 + n * 0.01)), behaviour);
    await switchPhones(product, withoutRcs, 'no_rcs');
    await switchPhones(product, neither, 'not_launched');
    await product.database.systemPool.query(
      'UPDATE contacts SET opted_out_at = NULL WHERE phone = ANY ($1)',
      [neither],
    );
    await product.ask({ path: `/api/campaigns/${campaignId}/start`, key: newId() });
    // They opt out between the two messages.
    await product.database.systemPool.query(
      'UPDATE contacts SET opted_out_at = now() WHERE phone = ANY ($1)',
      [neither],
    );
    const pick = (of: readonly string[]) => of[Math.floor(random() * of.length)]!;
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(200 + random() * 2_500);
      await product.sandbox('rcs/behaviour', {
        expiry: EXPIRIES[kill % EXPIRIES.length],
        latencyMs: kill % 4 === 0 ? 400 : 5,
      });
      // One comes back, maybe after its message expired; one loses RCS, and one gets it.
      await switchPhones(product, [pick(off)], 'reachable');
      await switchPhones(product, [pick(withRcs)], 'no_rcs');
      await switchPhones(product, [pick(withoutRcs)], 'reachable');
      await product.kill(random() < 0.5 ? 0 : 1);
    }
    await product.sandbox('rcs/behaviour', { expiry: 'revoked', latencyMs: 0 });
    // What no event tells of is old enough to be withdrawn.
    await waitFor(product, campaignId, ({ status }) => status === 'completed');
    await product.database.systemPool.query(
      `UPDATE delivery_recipients SET accepted_at = accepted_at - interval '10 minutes', sent_at = sent_at - interval '10 minutes'
        WHERE workspace_id = $1 AND address = ANY ($2) AND state = 2`,
      [product.workspaceId, phones],
    );
    await waitFor(product, campaignId, ({ fallbackCounts }) => fallbackCounts?.['waiting'] === 0);
    // Whatever still waits at the platform arrives now, later than anybody counted on.
    await switchPhones(product, [...off, ...withRcs.slice(0, part(0.15))], 'reachable');
    await settle(product);
    return await audit(product, { campaignId, phones, kills });
  } finally {
    await product.close();
  }
}

async function prepare(product: TwoHosts, count: number): Promise<{ campaignId: string; phones: string[] }> {
  const serviceAccount = JSON.stringify(await product.sandbox('rcs/service-account'));
  await product.sandbox('rcs/behaviour', {
    ...{
      latencyMs: 5,
      statusDelayMs: 300,
      deliveredRate: 1,
      readRate: 0.5,
      duplicateRate: 0.2,
      reorder: 0.3,
    },
    retryBaseMs: 200,
  });
  await product.sandbox('whatsapp/behaviour', {
    ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 30], statusDelayMs: 80 },
    ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000, duplicateRate: 0.2, reorder: 0.3 },
  });
  const clientToken = 'a word that the platform knows';
  const post = async <Made>(path: string, body: object) =>
    (await product.ask({ path, body, key: newId() })).body as Made; // what the path answers
  const agent = await post<{ id: string }>('/api/channels/connections', {
    ...{ kind: 'rcs', server: 'sandbox' },
    values: {
      ...{ serviceAccount, agentId: 'sandbox-agent@rbm.goog', region: 'europe' },
      ...{ useCase: 'multi_use', clientToken },
    },
  });
  await product.sandbox('rcs/webhook', { callbackUrl: `${product.url}/webhooks/rcs/sample`, clientToken });
  const template = await post<{ id: string }>('/api/templates', {
    ...{ name: 'Chain', language: 'en', status: 'approved' },
    components: [{ type: 'body', text: 'Hello {{name}}, our sale has begun.' }],
  });
  for (;;) {
    const { body } = await product.ask({ method: 'GET', path: `/api/templates/${template.id}` });
    if ((body as { isSendable: boolean }).isSendable) break;
    await pause(200);
  }
  const message = await post<{ id: string }>('/api/rcs/messages', {
    ...{
      name: 'Chain',
      type: 'text',
      status: 'active',
      content: { text: 'Hello {{name}}: https://shop.example/sale' },
    },
  });
  await product.addContacts(TAG, count);
  const { rows } = await product.database.systemPool.query<{ phone: string }>(
    'SELECT phone FROM contacts WHERE workspace_id = $1 AND tags @> ARRAY[$2] ORDER BY phone',
    [product.workspaceId, TAG],
  );
  const campaign = await post<{ id: string }>('/api/campaigns', {
    ...{
      name: 'Chain',
      message: { contentId: message.id },
      audience: { filter: { tags: [TAG] } },
      channelId: agent.id,
    },
    fallback: {
      channelId: product.channelId,
      templateId: template.id,
      variables: {},
      afterSeconds: LIMIT_SECONDS,
    },
  });
  return { campaignId: campaign.id, phones: rows.map(({ phone }) => phone) };
}

async function switchPhones(
  { sandbox }: TwoHosts,
  phones: readonly string[],
  behaviour: string,
): Promise<void> {
  for (const phone of phones) await sandbox(`rcs/phones/${encodeURIComponent(phone)}`, { behaviour });
}

async function read(product: TwoHosts, campaignId: string): Promise<Campaign> {
  return (await product.ask({ method: 'GET', path: `/api/campaigns/${campaignId}` })).body as Campaign;
}

async function waitFor(
  product: TwoHosts,
  campaignId: string,
  isThere: (now: Campaign) => boolean,
): Promise<Campaign> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await read(product, campaignId);
    if (isThere(now)) return now;
    if (Date.now() > until) throw new Error(`It does not end: ${JSON.stringify(now)}. ${product.errors()}`);
    await pause(500);
  }
}

/** Until neither platform has anything to tell, and no second message is on its way. */
async function settle(product: TwoHosts): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (let calm = 0; calm < 10;) {
    const { rows } = await product.database.systemPool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM campaign_fallbacks f JOIN messages m ON m.id = f.message_id WHERE m.state IN ('queued', 'sending', 'scheduled')`,
    );
    const rcs = await product.sandbox<{ webhooks: { pending: number } }>('rcs/stats');
    const isCalm = rows[0]!.open === 0 && rcs.webhooks.pending === 0;
    calm = isCalm ? calm + 1 : 0;
    if (Date.now() > until) throw new Error(`The platforms do not come to rest. ${product.errors()}`);
    await pause(500);
  }
}

/** How many messages each person got, through both platforms, against what the product says of each. */
async function audit(
  product: TwoHosts,
  { campaignId, phones, kills }: { campaignId: string; phones: string[]; kills: number },
): Promise<FaultReport> {
  const got = new Map(phones.map((phone) => [phone, 0]));
  const add = (phone: string, n: number) => got.has(phone) && got.set(phone, got.get(phone)! + n);
  const agent = await product.sandbox<{ phones: { phone: string; entries: { direction: string }[] }[] }>(
    'rcs/phones',
  );
  for (const { phone, entries } of agent.phones)
    add(phone, entries.filter(({ direction }) => direction === 'in').length);
  const number = await product.sandbox<{ messages: { to: string }[] }>(
    `whatsapp/messages?limit=${phones.length * 2}`,
  );
  for (const { to } of number.messages) add(`+${to.replace('+', '')}`, 1);
  const recipients: Recipient[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await product.ask({
      method: 'GET',
      path: `/api/campaigns/${campaignId}/recipients?limit=200${query}`,
    });
    const page = body as { items: Recipient[]; nextCursor: string | null };
    recipients.push(...page.items);
    cursor = page.nextCursor;
  }
  const twice = [...got].filter(([, n]) => n > 1);
  /** Shown as unknown, or as one who opted out before a message was sent to them. A failure without a second message is neither. */
  const isShown = ({ outcome, errorCode, fallback }: Recipient) =>
    outcome === 'unknown' ||
    (outcome === 'cancelled' && errorCode === 'opted_out') ||
    fallback?.state === 'unknown' ||
    (fallback?.state === 'left_out' && fallback.code === 'contact_opted_out');
  const without = recipients.filter(({ phone }) => got.get(phone) === 0);
  const hidden = without.filter((recipient) => !isShown(recipient));
  const reasons = Object.entries(Object.groupBy(without, reasonOf)).map(
    ([reason, of]) => `${reason} ${of?.length}`,
  );
  const { counts, fallbackCounts } = await read(product, campaignId);
  const sum = ['sent', 'failed', 'cancelled', 'unknown', 'pending'].reduce(
    (all, name) => all + (counts[name] ?? 0),
    0,
  );
  const second = recipients.filter(({ fallback }) => fallback !== null);
  const isExact =
    counts['total'] === phones.length &&
    recipients.length === phones.length &&
    sum === phones.length &&
    second.length ===
      ['waiting', 'sent', 'failed', 'arrived', 'leftOut', 'unknown'].reduce(
        (all, name) => all + (fallbackCounts?.[name] ?? 0),
        0,
      );
  return {
    isPassed: twice.length === 0 && hidden.length === 0 && isExact,
    figures: {
      ...{ people: phones.length, kills, 'with two messages': twice.length },
      'with one message': [...got.values()].filter((n) => n === 1).length,
      ...{
        'without a message': without.length,
        'of these not shown': hidden.length,
        'shown as': reasons.join(', '),
      },
      ...{ 'second messages': fallbackCounts?.['sent'] ?? 0, 'left out': fallbackCounts?.['leftOut'] ?? 0 },
      ...{
        arrived: fallbackCounts?.['arrived'] ?? 0,
        unknown: (fallbackCounts?.['unknown'] ?? 0) + (counts['unknown'] ?? 0),
      },
      'totals exact': isExact
        ? 'yes'
        : `no: ${JSON.stringify({ counts, fallbackCounts, second: second.length })}`,
      ...(hidden.length > 0 && { hidden: JSON.stringify(hidden.slice(0, 5)) }),
      ...(twice.length > 0 && { twice: JSON.stringify(twice.slice(0, 5)) }),
    },
  };
}

/** What the product says of one recipient, in its own words. */
function reasonOf({ outcome, errorCode, fallback }: Recipient): string {
  return [outcome, errorCode, fallback?.state, fallback?.code].filter(Boolean).join('/');
}
