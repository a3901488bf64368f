import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { FigureCards } from '../features/dashboard/figure-cards.tsx';
import { loadMessages, switchLocale, t } from '../shared/messages.ts';
import { withBrand } from '../shared/page-title.ts';
import { paths } from '../shared/paths.ts';
import { UiWordsProvider } from '../ui/ui-words.tsx';
import { prerenderedPublicPages, prerenderedShells } from './prerendered-pages.ts';
import type { PrerenderedPublicPage, PrerenderedShell } from './prerendered-pages.ts';
import { interfaceWords } from './interface-words.ts';
import { PageShell } from './page-shell.tsx';
import { publicRoutes } from './public-routes.ts';

/** What the build writes into one file. */
export interface PrerenderedPage {
  title: string;
  /** What search engines show below it. */
  description: string;
  html: string;
}

// For the build alone, which draws these pages in each language so that they show before any script has arrived.
export { prerenderedPublicPages, prerenderedShells, switchLocale as drawIn };

export async function prerenderPublicPage({
  path,
  title,
  isEmpty,
}: PrerenderedPublicPage): Promise<PrerenderedPage> {
  const route = publicRoutes.find((candidate) => candidate.path === path);
  if (!route) throw new Error(`There is no public page ${path}`);
  await loadMessages('ui', 'landing', ...route.messages);
  const Page = await route.page();
  return {
    title: path === paths.landing ? t(title) : withBrand(t(title)),
    description: t('landing.description'),
    html: isEmpty ? '' : draw(<Page />),
  };
}

export async function prerenderShell({
  path,
  messages,
  title,
  purpose,
}: PrerenderedShell): Promise<PrerenderedPage> {
  await loadMessages('ui', 'common', 'landing', ...messages);
  const summary = path === paths.dashboard ? <FigureCards overview={undefined} /> : undefined;
  const html = draw(<PageShell title={t(title)} purpose={t(purpose)} summary={summary} />);
  return { title: withBrand(t(title)), description: t('landing.description'), html };
}

function draw(page: ReactElement): string {
  return renderToString(<UiWordsProvider words={interfaceWords()}>{page}</UiWordsProvider>);
}
