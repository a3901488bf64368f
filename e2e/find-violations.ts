import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

/** The smaller file: each page that is looked at reads it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Whether controls and pictures have a name, and room enough. */
const NAMES = [
  ...['target-size', 'button-name', 'link-name', 'input-button-name', 'label', 'select-name'],
  ...['image-alt', 'svg-img-alt'],
  ...['aria-command-name', 'aria-dialog-name', 'aria-input-field-name', 'aria-toggle-field-name'],
  ...['aria-meter-name', 'aria-progressbar-name', 'aria-tooltip-name'],
];
const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  /** What a theme changes. */
  'of colour': { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  /** What a language changes: names, titles, and how much room words take. */
  'of words': {
    type: 'rule',
    values: ['document-title', 'html-has-lang', 'html-lang-valid', 'valid-lang', ...NAMES],
  },
  /** What a width changes: other controls with names of their own, how large they are, and what scrolls. Colours stay. */
  'of width': {
    type: 'rule',
    values: ['scrollable-region-focusable', 'nested-interactive', 'aria-hidden-focus', ...NAMES],
  },
} satisfies Record<string, axe.RunOnly>;
type Rules = keyof typeof RULES;
type Axe = { run(context: Document, options: axe.RunOptions): Promise<axe.AxeResults> };

/**
 * What axe finds on the page as it stands against these rules of WCAG 2.2 AA, and in its other theme against those of colour: nothing
 * else changes with it. In the page itself, for there are no frames.
 */
export async function findViolations(page: Page, rules: Rules, isInBothThemes = false): Promise<string[]> {
  const first = await runAxe(page, rules, isInBothThemes);
  // What began to change its colour while it was looked at is looked at again, at rest.
  return first.length === 0 ? first : runAxe(page, rules, isInBothThemes);
}

async function runAxe(page: Page, rules: Rules, isInBothThemes: boolean): Promise<string[]> {
  const isLoaded = await page.evaluate(async () => {
    // A colour on its way from one state to the next is neither of the two.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    return 'axe' in globalThis;
  });
  if (!isLoaded) await page.evaluate(AXE);
  return page.evaluate(lookAtPage, [
    RULES[rules] as axe.RunOnly,
    isInBothThemes ? (RULES['of colour'] as axe.RunOnly) : null,
  ] as const);
}

/** Runs in the page. The other theme is there for no longer than the look: to change it as a person does draws the whole page twice. */
async function lookAtPage([here, inOtherTheme]: readonly [axe.RunOnly, axe.RunOnly | null]): Promise<
  string[]
> {
  const { axe } = globalThis as unknown as { axe: Axe };
  const root = document.documentElement;
  const theme = root.dataset['theme'];
  const look = async (runOnly: axe.RunOnly) => {
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'], preload: false });
    return violations.map(
      ({ id, nodes }) =>
        `${root.dataset['theme']} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  };
  const found = await look(here);
  if (!inOtherTheme) return found;
  if (!theme) return [...found, 'the page has no theme'];
  const stillness = new CSSStyleSheet();
  stillness.replaceSync('*, ::before, ::after { transition: none !important; }');
  document.adoptedStyleSheets.push(stillness);
  root.dataset['theme'] = theme === 'dark' ? 'light' : 'dark';
  try {
    return [...found, ...(await look(inOtherTheme))];
  } finally {
    root.dataset['theme'] = theme;
    // Read once, or the way back would be a transition.
    document.body.getBoundingClientRect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== stillness);
  }
}
