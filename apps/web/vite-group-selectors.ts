import type { Plugin } from 'vite';

// `.x:is(:where(.group):hover *)`, as Tailwind writes what an element does at a state of a part around it, or beside it.
const NESTED =
  /(\.(?:\\.|[^\\\s.:,>~(){}])+):is\((:where\(\.(?:group|peer)(?:\\.|[^\\\s()])*\)(?:[^\s()~]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)( |~)\*\)(?=[,{])/g;

/**
 * Says the same in the order of the elements: `:where(.group):hover .x`. It matches the same elements with the same weight. But when a state changes,
 * a browser computes the style of all elements below again for the nested form, and of those with the class `x` for this one. One row
 * that came to the end of a list cost the style of the whole list.
 */
export function unnestGroups(css: string): string {
  return css.replace(NESTED, (_, own: string, around: string, step: string) => `${around}${step}${own}`);
}

/** Applies it to what Tailwind has written, so its place in the list is behind it. */
export function unnestGroupSelectors(): Plugin {
  return {
    name: 'unnest-group-selectors',
    enforce: 'pre',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    transform: {
      filter: { id: /\.css$/ },
      handler(css, id) {
        const written = unnestGroups(css);
        // A form that is not known here would bring the cost back unnoticed.
        if (/:is\(:where\(\.(?:group|peer)/.test(written))
          this.error(`${id} has a nested selector of a group that is not understood.`);
        return { code: written, map: null };
      },
    },
  };
}
