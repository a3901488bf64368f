import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { compileMessages } from './vite-messages.ts';

/** Writes `landing.html` beside `index.html`: the same start of the app with the landing page already drawn in it. */
export function prerenderLanding(): Plugin {
  let dist = '';
  return {
    name: 'prerender-landing',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved({ root, build: { outDir } }) {
      dist = resolve(root, outDir);
    },
    closeBundle: {
      sequential: true,
      async handler(error?: Error) {
        if (error) return;
        const html = await renderOnServer();
        const start = await readFile(join(dist, 'index.html'), 'utf8');
        await writeFile(join(dist, 'landing.html'), fillIn(start, html));
      },
    },
  };
}

async function renderOnServer(): Promise<string> {
  // Inside the package, so that the bundle finds what it imports.
  const place = join(import.meta.dirname, 'dist');
  await mkdir(place, { recursive: true });
  const outDir = await mkdtemp(join(place, '.landing-'));
  try {
    await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      plugins: [compileMessages(), react()],
      build: { ssr: 'src/app/render-landing.tsx', outDir, emptyOutDir: true },
    });
    const bundle: { renderLanding(): Promise<string> } = await import(
      pathToFileURL(join(outDir, 'render-landing.js')).href
    );
    return await bundle.renderLanding();
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function fillIn(start: string, html: string): string {
  const title = /<title>[^<]*<\/title>/;
  const [ownTitle = ''] = title.exec(html) ?? [];
  const place = '<div id="root"></div>';
  if (!ownTitle || !start.includes(place)) throw new Error('The landing page cannot be put into index.html.');
  return start
    .replace(title, () => ownTitle)
    .replace(place, () => `<div id="root">${html.replace(title, '')}</div>`);
}
