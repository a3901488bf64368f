import { gzipSync } from 'node:zlib';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchProduct, waitUntilQuiet, type BenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

/** What the browser really loads of the built app: script of the sign-in page and of the first dashboard view. */
export const webWeight: Bench = {
  title: 'Weight of the web app',
  async run() {
    const product = await openBenchProduct();
    try {
      const signIn = await weigh(product, { path: '/login', sign: 'Sign in', isSignedIn: false });
      const dashboard = await weigh(product, {
        path: '/dashboard',
        sign: 'Message Analytics',
        isSignedIn: true,
      });
      return [
        ...describe('sign-in page', signIn, 30),
        ...describe('first dashboard view', dashboard, 140),
        {
          figure: 'loaded ahead afterwards, while the browser is idle',
          measured: `${show(dashboard.ahead.kilobytes)} kB, ${dashboard.ahead.files} files`,
          peer: '',
          goal: '',
          isMet: true,
        },
      ];
    } finally {
      await product.close();
    }
  },
};

type Weight = { kilobytes: number; files: number };
type Weighed = Weight & { ahead: Weight };

const LONGER_THAN_THE_QUIET_MS = inSmall(100, 8_000);

async function weigh(
  product: BenchProduct,
  { path, sign, isSignedIn }: { path: string; sign: string; isSignedIn: boolean },
): Promise<Weighed> {
  const page = await product.openPage({ isSignedIn });
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body());
  });
  await page.goto(path);
  await page.getByText(sign).first().waitFor();
  await waitUntilQuiet(page);
  const first = await total([...scripts.values()]);
  await page.waitForTimeout(LONGER_THAN_THE_QUIET_MS);
  const all = await total([...scripts.values()]);
  for (const [url, body] of scripts)
    console.log(`  ${path} ${new URL(url).pathname} ${show(gzipSync(await body).length / 1000)} kB`);
  await page.context().close();
  return {
    ...first,
    ahead: { kilobytes: all.kilobytes - first.kilobytes, files: all.files - first.files },
  };
}

/** Compressed here, at the usual level, so that the figure does not hang on what the server chose. */
async function total(bodies: readonly Promise<Buffer>[]): Promise<Weight> {
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  return { kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000, files: sizes.length };
}

function describe(what: string, { kilobytes, files }: Weight, most: number): BenchRow[] {
  return [
    {
      figure: `script of the ${what}, gzip`,
      measured: `${show(kilobytes)} kB`,
      peer: "n8n's editor: 3,155 kB",
      ratio: kilobytes / 3155,
      goal: `≤ ${most} kB`,
      isMet: kilobytes <= most,
    },
    {
      figure: `script files of the ${what}`,
      measured: String(files),
      peer: "n8n's editor: 357",
      goal: '≤ 12',
      isMet: files <= 12,
    },
  ];
}
