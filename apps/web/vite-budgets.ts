import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Bytes of script, gzip, that a part may load before it is first painted, beyond what every page of the dashboard has loaded. */
const budgets: Readonly<Record<string, number>> = {
  'src/features/automation/canvas/flow-canvas.tsx': 120_000,
};
const ON_EVERY_PAGE = ['src/app/main.tsx', 'src/app/dashboard-app.tsx'];

type Chunk = { fileName: string; code: string; imports: string[]; moduleIds: string[] };

/** Fails the build when a part has become heavier than it may be. */
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
      const loaded = closure(ON_EVERY_PAGE.flatMap(holding));
      for (const [module, most] of Object.entries(budgets)) {
        const starts = holding(module);
        if (starts.length === 0) this.error(`${module} has a budget and is not in the build.`);
        const own = [...closure(starts)].filter((chunk) => !loaded.has(chunk));
        const bytes = own.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
        if (bytes > most)
          this.error(`${module} loads ${bytes} bytes (gzip) before its first paint; it may load ${most}.`);
      }
    },
  };
}
