import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyData, waitForReviews } from './prepared-data.ts';
import { runProduct, type Product, type ProductOptions } from './run-product.ts';

/** A product of its own on a copy of the prepared data directory, which goes when it stops. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(process.env['E2E_QUICK_PLACE'] ?? tmpdir(), 'product-'));
  // As root the database runs under an account of its own, which must get in.
  await chmod(dataDir, 0o755);
  const prepared = process.env['PREPARED_DATA'];
  const isPrepared = prepared !== undefined && copyData(prepared, dataDir);
  const product = await runProduct(dataDir, options);
  if (!isPrepared) await waitForReviews(product);
  return {
    ...product,
    async stop() {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
