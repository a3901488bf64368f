import { readFileSync, writeFileSync } from 'node:fs';
import { createSandbox } from '@app/sandbox/sandbox';
import type { Bench } from '../harness/bench-report.ts';
import { openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

const FEW = inSmall(50, 5_000);

type Shown = { status: string; run: { counts: { created: number } } | null; recordsSynced: number };

/**
 * The first sync of a connection: 5,000 records over HTTP from the stand-in, with the preview that comes first, at the rate that HubSpot allows; and
 * 250,000 that were read before, for the memory of the process.
 */
export const connectorSync: Bench = {
  title: 'First sync of a connected service',
  async run({ large }) {
    // 250,000 unless `--large` says otherwise.
    const many = Math.round(large * 2.5);
    const product = await openBenchProduct();
    const sandbox = createSandbox();
    try {
      await sandbox.start({ port: Number(new URL(product.sandboxUrl).port) });
      sandbox.hubspot.contacts.clear();
      for (let n = 0; n < FEW; n += 1) {
        const one = sandbox.hubspot.create({
          ...{ firstname: 'Person', lastname: String(n), phone: `+4915${String(200_000_000 + n)}` },
          email: `person.${n}@example.com`,
        });
        // As in a real account: what changed in the last minutes is read once more, at the rate of the service, and that is not what is measured.
        one.updatedAt -= 86_400_000;
      }
      const { systemPool } = product.database.database;
      await systemPool.query(`UPDATE workspaces SET plan = 'enterprise' WHERE id = $1`, [
        product.workspaceId,
      ]);
      const values = { accessToken: 'sandbox-hubspot-token', appSecret: '' };
      const connectedAt = performance.now();
      await act(product, 'connect', { values });
      await untilStill(product);
      const previewSeconds = (performance.now() - connectedAt) / 1_000;
      const first = await syncOnce(product);
      console.log(`  preview ${show(previewSeconds)} s, first sync of ${FEW}: ${show(first.seconds)} s`);

      await systemPool.query(
        `INSERT INTO integration_records (id, workspace_id, integration_id, external_id, is_pending, remote_updated_at, remote_edited_at, remote_values)
         SELECT gen_random_uuid(), i.workspace_id, i.id, 'many-' || n, true, now(), now(),
                jsonb_build_object('name', 'Person ' || n, 'phone', '+4916' || (300000000 + n), 'email', 'many.' || n || '@example.com')
           FROM integrations i, generate_series(1, $2::int) AS n WHERE i.workspace_id = $1 AND i.kind = 'hubspot'`,
        [product.workspaceId, many],
      );
      await systemPool.query('ANALYZE integration_records');
      const idleMb = readStatus(product.serverPid, 'VmRSS');
      writeFileSync(`/proc/${product.serverPid}/clear_refs`, '5');
      const second = await syncOnce(product);
      const growth = readStatus(product.serverPid, 'VmHWM') - idleMb;
      const [fewRate, manyRate] = [FEW / first.seconds, many / second.seconds];
      return [
        {
          figure: `first sync of ${FEW.toLocaleString('en')} records that the preview has read, into contacts`,
          measured: `${show(first.seconds)} s, ${show(fewRate)} records a second (preview ${show(previewSeconds)} s, at the rate that HubSpot allows)`,
          ...{ peer: '', goal: '≥ 2,000 a second', isMet: fewRate >= 2_000 },
        },
        {
          figure: `${many.toLocaleString('en')} records into contacts`,
          measured: `${show(second.seconds)} s, ${show(manyRate)} records a second`,
          ...{ peer: '', goal: '≥ 2,000 a second', isMet: manyRate >= 2_000 },
        },
        {
          figure: `memory above idle at ${many.toLocaleString('en')} records`,
          measured: `${show(growth)} MB (idle ${show(idleMb)})`,
          ...{ peer: '', goal: '≤ 150 MB', isMet: growth <= 150 },
        },
      ];
    } finally {
      await sandbox.close();
      await product.close();
    }
  },
};

async function act(product: BenchProduct, path: string, body: object = {}): Promise<void> {
  const answer = await product.post(`/api/integrations/hubspot/${path}`, body);
  if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
}

async function syncOnce(product: BenchProduct): Promise<{ seconds: number }> {
  const begun = performance.now();
  await act(product, 'sync');
  await untilStill(product);
  return { seconds: (performance.now() - begun) / 1_000 };
}

async function untilStill(product: BenchProduct): Promise<void> {
  for (;;) {
    const { status } = (await (await product.get('/api/integrations/hubspot')).json()) as Shown;
    if (status === 'connected') return;
    if (status === 'error') throw new Error('The connection shows an error.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function readStatus(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}
