import type { Plugin } from 'vite';

/**
 * Fails the build when files of the app import each other in a circle. One of them would then run before what it needs, and its
 * page would break, depending on which page was opened first.
 */
export function forbidCycles(): Plugin {
  return {
    name: 'forbid-cycles',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    generateBundle(_, bundle) {
      const imports = new Map(
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' ? [[file.fileName, file.imports] as const] : [],
        ),
      );
      const cycle = findCycle(imports);
      if (cycle)
        this.error(
          `Files import each other in a circle: ${cycle.join(' → ')}. Change the groups of vite.config.ts.`,
        );
    },
  };
}

/** The files of one circle in their order, or undefined when there is none. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (file: string): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const imported of imports.get(file) ?? []) {
      const cycle = follow(imported);
      if (cycle) return cycle;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = follow(file);
    if (cycle) return cycle;
  }
  return undefined;
}
