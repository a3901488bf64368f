import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);
const SMALLEST = 1024;

/** Lays a `.br` and a `.gz` copy beside each text file, so that the server compresses nothing while people wait. */
export function compressFiles(): Plugin {
  let dist = '';
  return {
    name: 'compress-files',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    enforce: 'post',
    configResolved({ root, build: { outDir } }) {
      dist = resolve(root, outDir);
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler(error?: Error) {
        if (error) return;
        const names = await readdir(dist, { recursive: true });
        const texts = names.filter((name) => TEXTS.has(extname(name)));
        await Promise.all(texts.map((name) => compress(join(dist, name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
