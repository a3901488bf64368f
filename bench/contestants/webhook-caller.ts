import { createHmac } from 'node:crypto';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { Pool } from 'undici';
import { untilStarted } from './measure.ts';

// Plays the platform: signed webhooks of one status each, as fast as they are answered or at a steady rate.

const [url = '', secret = '', runNo = '0', recipients = '0', count = '0', perSecond = '0'] =
  process.argv.slice(2);
const connections = 256;
const bodies = Array.from({ length: Number(count) }, (_, index) => {
  const seq = index % Number(recipients);
  const status = ['sent', 'delivered', 'read'][Math.floor(index / Number(recipients)) % 3];
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
              statuses: [
                {
                  id: `wamid.HBgLNDkxNTcwMDAwMDAwFQIAERgS${seq.toString(16).padStart(12, '0')}`,
                  status,
                  timestamp: String(1_790_000_000 + index),
                  recipient_id: `49157${10_000_000 + seq}`,
                  biz_opaque_callback_data: formatDeliveryTag({ runNo: Number(runNo), seq, attempt: 1 }),
                  pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' },
                },
              ],
            },
          },
        ],
      },
    ],
  });
  return { body, signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
});
const target = new URL(url);
const pool = new Pool(target.origin, { connections: perSecond === '0' ? connections : 256, pipelining: 1 });
const latencies: number[] = [];
let refused = 0;

async function call(index: number): Promise<void> {
  const { body, signature } = bodies[index] ?? { body: '', signature: '' };
  const startedAt = performance.now();
  const answer = await pool.request({
    path: target.pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
  await answer.body.dump();
  latencies.push(performance.now() - startedAt);
  if (answer.statusCode !== 200) refused += 1;
}

await untilStarted();
const startedAt = performance.now();
if (perSecond === '0') {
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await call(next++);
    }),
  );
} else {
  const pending: Promise<void>[] = [];
  for (let next = 0; next < bodies.length;) {
    const due = Math.min(bodies.length, ((performance.now() - startedAt) * Number(perSecond)) / 1_000);
    while (next < due) pending.push(call(next++));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
}
const ms = performance.now() - startedAt;
const sorted = latencies.toSorted((a, b) => a - b);
const at = (share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
process.send?.({
  result: {
    perSecond: (bodies.length / ms) * 1_000,
    p50: at(0.5),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
    refused,
  },
});
