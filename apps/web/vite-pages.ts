import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, minify, type Plugin, type Rolldown } from 'vite';
import type * as drawing from './src/app/prerender-pages.tsx';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { checkPageBudget } from './vite-budgets.ts';
import { compileMessages, wordsFile } from './vite-messages.ts';

type Chunks = readonly Rolldown.OutputChunk[];

const PREACT = {
  'react/jsx-runtime': 'preact/compat/jsx-runtime',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
};

/**
 * Writes `pages/<language>/<address>.html` for the addresses that are drawn while building, and `app/<language>.html` for all
 * others. Public pages get a script of their own, with Preact in React's place; pages of the dashboard get the frame that
 * stands until the app takes over.
 */
export function prerenderPages(): Plugin {
  let dist = '';
  let dashboard: Chunks = [];
  let font = '';
  let isWritten = false;
  return {
    name: 'draw-pages',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved({ root, build: { outDir } }) {
      dist = resolve(root, outDir);
    },
    generateBundle(_, bundle) {
      dashboard = Object.values(bundle).filter((file) => file.type === 'chunk');
      font = Object.keys(bundle).find((name) => /inter-latin-wght.*\.woff2$/.test(name)) ?? '';
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      sequential: true,
      async handler() {
        // After a failure, such as a page above its budget, there is nothing to draw with; the failure itself is reported.
        if (!isWritten || dashboard.length === 0) return;
        if (!font) throw new Error('The font that every page begins with is not in the bundle.');
        await shortenFirstScript(join(dist, 'theme.js'));
        const start = await readFile(join(dist, 'index.html'), 'utf8');
        const app = addLinks(start, [fontLink(font)]);
        await writeFile(join(dist, 'index.html'), app);
        const publicScripts = await buildPublicScript(dist, filesOf(dashboard, ['src/app/main.tsx']));
        await withDrawing(async (pages) => {
          for (const language of interfaceLanguages) {
            await pages.drawIn(language);
            const words = (names: readonly string[]) => names.map((name) => wordsFile(language, name));
            const spoken = sayLanguage(app, language);
            const undrawn = addLinks(spoken, words(['ui', 'common']).map(preloadLink));
            await writePage(dist, join('app', `${language}.html`), undrawn);
            for (const page of pages.prerenderedPublicPages) {
              const scripts = filesOf(publicScripts, ['src/app/public-main.tsx', `src/${page.module}`]);
              const html = usePublicScript(sayLanguage(start, language), font, [
                ...scripts,
                ...words(['ui', ...page.messages]),
              ]);
              await writePage(
                dist,
                pageFile(language, page.path),
                fillIn(html, await pages.prerenderPublicPage(page)),
              );
            }
            for (const shell of pages.prerenderedShells) {
              const files = filesOf(dashboard, [`src/${shell.module}`]).filter((file) => !app.includes(file));
              const ahead = [...files, ...words(shell.messages)].map(preloadLink);
              const html = addLinks(undrawn, ahead);
              await writePage(
                dist,
                pageFile(language, shell.path),
                fillIn(html, await pages.prerenderShell(shell)),
              );
            }
          }
        });
      },
    },
  };
}

/** Nothing is painted before it has run, so its comments stay at home. */
async function shortenFirstScript(file: string): Promise<void> {
  const { code } = await minify('theme.js', await readFile(file, 'utf8'));
  await writeFile(file, code);
}

// Shared by the other forms alone.
const NOT_FOR_SIGN_IN =
  /src\/(features\/auth\/auth-result|shared\/sign-in\/account-fields|ui\/controls\/choice-text)|lucide-react\/dist\/esm\/icons\/mail-check/;

async function buildPublicScript(dist: string, dashboardFiles: readonly string[]): Promise<Chunks> {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [compileMessages(), plainImports(), react()],
    resolve: { alias: PREACT },
    define: { 'import.meta.env.DASHBOARD_FILES': JSON.stringify(dashboardFiles.map((file) => `/${file}`)) },
    build: {
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2023',
      sourcemap: false,
      modulePreload: false,
      rolldownOptions: {
        input: 'src/app/public-main.tsx',
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          // What the sign-in form needs and what only the other forms share are two files.
          codeSplitting: {
            groups: [
              {
                name: 'base',
                test: (id: string) => !NOT_FOR_SIGN_IN.test(id),
                minShareCount: 2,
                priority: 2,
              },
              { name: 'forms', minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  });
  if (!('output' in result)) throw new Error('The public pages were not built once.');
  return result.output.filter((file) => file.type === 'chunk');
}

/** The public pages have one style sheet and load no script ahead, so what Vite puts around an import has nothing to do there. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js'
        ? `export const __vitePreload = (load) => load().catch((error) => {
            const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error });
            dispatchEvent(event);
            if (!event.defaultPrevented) throw error;
          });`
        : null,
  };
}

/** What draws the pages, built for Node.js and gone afterwards. */
async function withDrawing(use: (pages: typeof drawing) => Promise<void>): Promise<void> {
  // Inside the package, so that the bundle finds what it imports.
  const outDir = await mkdtemp(join(import.meta.dirname, 'dist', '.drawing-'));
  try {
    await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      plugins: [compileMessages(), react()],
      build: { ssr: 'src/app/prerender-pages.tsx', outDir, emptyOutDir: true, copyPublicDir: false },
    });
    // What a page shows for its address is decided where it is drawn again, in the browser.
    Object.assign(globalThis, { location: new URL('http://localhost/') });
    await use(await import(pathToFileURL(join(outDir, 'prerender-pages.js')).href));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** The files that these modules, named from the package, are in, with all that those import at once. */
function filesOf(chunks: Chunks, modules: readonly string[]): string[] {
  const files = new Set<string>();
  const add = (fileName: string) => {
    if (files.has(fileName)) return;
    files.add(fileName);
    chunks.find((chunk) => chunk.fileName === fileName)?.imports.forEach(add);
  };
  for (const module of modules) {
    const place = join(import.meta.dirname, module);
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(place));
    if (!chunk) throw new Error(`${module} is in no file of the bundle.`);
    add(chunk.fileName);
  }
  return [...files];
}

function usePublicScript(start: string, font: string, [script, ...others]: readonly string[]): string {
  const without = start.replace(
    /\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g,
    '',
  );
  return addLinks(without, [
    fontLink(font),
    `<script type="module" crossorigin src="/${script}"></script>`,
    ...others.map(preloadLink),
  ]);
}

function fontLink(font: string): string {
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`;
}

function preloadLink(file: string): string {
  return `<link rel="modulepreload" crossorigin href="/${file}">`;
}

function addLinks(html: string, links: readonly string[]): string {
  return replaceOnce(html, '</title>', ['</title>', ...links].join('\n    '));
}

function sayLanguage(html: string, language: string): string {
  return replaceOnce(html, '<html lang="en">', `<html lang="${language}">`);
}

function fillIn(html: string, { title, description, html: content }: drawing.PrerenderedPage): string {
  const [ownTitle = ''] = /<title>[^<]*<\/title>/.exec(html) ?? [];
  const [ownDescription = ''] = /<meta name="description"[^>]*>/.exec(html) ?? [];
  const named = replaceOnce(html, ownTitle, `<title>${escape(title)}</title>`);
  const described = replaceOnce(
    named,
    ownDescription,
    `<meta name="description" content="${escape(description)}" />`,
  );
  return replaceOnce(described, '<div id="root"></div>', `<div id="root">${content}</div>`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function replaceOnce(text: string, place: string, by: string): string {
  if (!place || text.split(place).length !== 2) throw new Error(`index.html must hold "${place}" once.`);
  return text.replace(place, () => by);
}

/** `/login` in German is `pages/de/login.html`. */
function pageFile(language: string, path: string): string {
  return join('pages', language, `${path === '/' ? 'index' : path.slice(1)}.html`);
}

async function writePage(dist: string, name: string, html: string): Promise<void> {
  const file = join(dist, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
  await checkPageBudget(dist, name.replaceAll('\\', '/'), html);
}
