import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The bytes of script, gzip, that a page loads beyond the first view of the dashboard before it is painted. */
const MOST_OF_A_PAGE = 60_000;

/** Parts that are loaded by a press or after the first view, with the page that has them, and in how many files where that is limited. */
const parts: Readonly<Record<string, { page: string; most: number; files?: number }>> = {
  // Each visit loads it, and its figures wait for it.
  'src/features/dashboard/panels/home-body.tsx': {
    page: 'src/features/dashboard/dashboard-page.tsx',
    most: 46_000,
    files: 12,
  },
  'src/features/automation/canvas/flow-canvas.tsx': {
    page: 'src/features/automation/workflow-page.tsx',
    most: 120_000,
  },
  'src/features/analytics/analytics-page.tsx': {
    page: 'src/features/dashboard/dashboard-page.tsx',
    most: 56_000,
  },
  'src/features/rcs/messages/message-dialog.tsx': {
    page: 'src/features/rcs/rcs-page.tsx',
    most: 60_000,
  },
};
const FIRST_PAGE = 'src/features/dashboard/dashboard-page.tsx';
const ON_EVERY_PAGE = ['src/app/main.tsx', 'src/app/dashboard-app.tsx'];

type Chunk = {
  fileName: string;
  code: string;
  imports: string[];
  moduleIds: string[];
  isDynamicEntry: boolean;
  facadeModuleId: string | null;
};

/** Fails the build when a page, or a part that is loaded by a press, has become heavier than it may be. */
export function checkBudgets(): Plugin {
  return {
    name: 'check-budgets',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    generateBundle(_, bundle) {
      const chunks: Chunk[] = Object.values(bundle).filter((one) => one.type === 'chunk');
      const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const holding = (module: string) =>
        chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(module)));
      const closure = (starts: readonly Chunk[]) => {
        const seen = new Set(starts);
        for (const chunk of seen)
          for (const file of chunk.imports) {
            const imported = byFile.get(file);
            if (imported) seen.add(imported);
          }
        return seen;
      };
      const check = (module: string, page: string, most: number, files = Infinity) => {
        const loaded = closure([...ON_EVERY_PAGE, page].flatMap(holding));
        const starts = holding(module);
        if (starts.length === 0) this.error(`${module} has a budget and is not in the build.`);
        const own = [...closure(starts)].filter((chunk) => !loaded.has(chunk));
        const bytes = own.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
        if (own.length > files)
          this.error(
            `${module} loads ${own.length} files; it may load ${files}. Put small files that come together into one (\`chunkGroups\`).`,
          );
        if (bytes > most)
          this.error(
            `${module} loads ${bytes} bytes (gzip) before its first paint; it may load ${most}. Load what stands behind a press or below the first screen with lazyPart or lazyDetail.`,
          );
      };
      const pages = pagesOf(chunks);
      if (pages.length < FEWEST_PAGES) this.error(`Only ${pages.length} pages were found to be weighed.`);
      for (const page of pages) check(page, FIRST_PAGE, MOST_OF_A_PAGE);
      for (const [module, { page, most, files }] of Object.entries(parts)) check(module, page, most, files);
    },
  };
}

/** So many pages are there at least: fewer would mean that they are no longer found. */
const FEWEST_PAGES = 15;

/** The modules that routes load as their pages. */
function pagesOf(chunks: readonly Chunk[]): string[] {
  return chunks
    .filter(({ isDynamicEntry }) => isDynamicEntry)
    .map(({ facadeModuleId }) => facadeModuleId?.replaceAll('\\', '/') ?? '')
    .flatMap((id) => /src\/features\/.*-page\.tsx$/.exec(id) ?? [])
    .filter((module) => module !== FIRST_PAGE);
}

/** The bytes of script, gzip, that the HTML of a page names, and in how many files. */
const pageBudgets: Readonly<Record<string, { most: number; files: number }>> = {
  'login.html': { most: 30_000, files: 12 },
  'dashboard.html': { most: 140_000, files: 12 },
};

/** Fails the build when the first view of a page has become heavier than it may be. */
export async function checkPageBudget(dist: string, page: string, html: string): Promise<void> {
  const budget = pageBudgets[page.split('/').at(-1) ?? ''];
  if (!budget) return;
  const files = new Set([...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file));
  const scripts = await Promise.all([...files].map((file) => readFile(join(dist, file))));
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  if (bytes > budget.most || files.size > budget.files)
    throw new Error(
      `${page} loads ${bytes} bytes (gzip) of script in ${files.size} files at once; it may load ${budget.most} in ${budget.files}.`,
    );
}
