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
  await waitForApproval(product);
  const body = { audience: { filter }, message: { templateId: templates[0]?.id }, variables: {} };
  let answer = await product.post('/api/bulk-messages', body);
  // The product hears of the approval a moment later.
  for (let look = 0; answer.status === 409 && look < READY_WITHIN_MS / LOOK_MS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    answer = await product.post('/api/bulk-messages', body);
  }
  if (!answer.ok) throw new Error(`The campaign was refused: ${answer.status} ${await answer.text()}`);
  const { campaignId } = (await answer.json()) as { campaignId: string }; // the contract's output
  const { rows: runs } = await pool.query('SELECT run_no FROM campaigns WHERE id = $1', [campaignId]);
  return Number(runs[0].run_no);
}

/** The sandbox was started a moment ago and may not know the template yet: a campaign would pause. */
async function waitForApproval({ sandboxUrl }: BenchProduct): Promise<void> {
  const url = `${sandboxUrl}/graph/v24.0/100000000000001/message_templates?fields=name,status`;
  for (let look = 0; look < READY_WITHIN_MS / LOOK_MS; look += 1) {
    const answer = await fetch(url, { headers: { authorization: 'Bearer sandbox-access-token' } });
    const { data } = (await answer.json()) as { data: { name: string; status: string }[] };
    if (data.some(({ name, status }) => name === 'order_update' && status === 'APPROVED')) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error('The sandbox did not approve the template.');
}
