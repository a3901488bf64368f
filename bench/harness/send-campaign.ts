import type { BenchProduct } from './bench-product.ts';

const LOOK_MS = 250;
const READY_WITHIN_MS = 30_000;

/** Sends the template of the sample to the contacts of a filter, as a press on Send does; the answer is the number of the run. */
export async function sendCampaign(product: BenchProduct, filter: { tags?: string[] }): Promise<number> {
  const pool = product.database.database.systemPool;
  const { rows: templates } = await pool.query<{ id: string }>(
    `SELECT id FROM templates WHERE workspace_id = $1 AND name = 'Order Update'`,
    [product.workspaceId],
  );
  const body = { audience: { filter }, message: { templateId: templates[0]?.id }, variables: {} };
  let answer = await product.post('/api/bulk-messages', body);
  // The sandbox was started a moment ago and may not have approved the templates yet.
  for (let look = 0; answer.status === 409 && look < READY_WITHIN_MS / LOOK_MS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    answer = await product.post('/api/bulk-messages', body);
  }
  if (!answer.ok) throw new Error(`The campaign was refused: ${answer.status} ${await answer.text()}`);
  const { campaignId } = (await answer.json()) as { campaignId: string }; // the contract's output
  const { rows: runs } = await pool.query('SELECT run_no FROM campaigns WHERE id = $1', [campaignId]);
  return Number(runs[0].run_no);
}
