import { Component, useEffect, useState } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { renderAnew, takeOver } from '../shared/sign-in/early-input.ts';
import {
  activeLocale,
  loadMessages,
  preferredLocale,
  subscribeToMessages,
  switchLocale,
  t,
  type Locale,
} from '../shared/messages.ts';
import { isPublicPath } from '../shared/paths.ts';
import { goTo, usePublicPath } from '../shared/sign-in/public-navigation.ts';
import { Toaster } from '../ui/toasts/toaster.tsx';
import { UiWordsProvider } from '../ui/ui-words.tsx';
import { interfaceWords } from './interface-words.ts';
import { LoadingText } from './loading-text.tsx';
import { publicRoutes } from './public-routes.ts';
import { reloadAfterUpdate } from './reload-after-update.ts';
import { UnexpectedError } from './plain-pages/unexpected-error.tsx';

/**
 * Brings the page in the HTML to life, without a loading text in between. What `draw` is given becomes the content of
 * `root`; it keeps the elements that stand there already.
 */
export async function startPublicPages(root: Element, draw: (page: ReactElement) => void): Promise<void> {
  reloadAfterUpdate();
  await switchLocale(preferredLocale());
  await Promise.all([
    // What cannot be loaded now is tried again, and reported, by the page itself.
    loadPublicPage(location.pathname).catch(() => undefined),
    loadMessages('ui'),
  ]);
  document.addEventListener('click', followInside);
  document.addEventListener('pointerover', loadAhead);
  document.addEventListener('focusin', loadAhead);
  takeOver(root, () => draw(<PublicApp locale={activeLocale()} />));
  onLocaleChange(() => renderAnew(root, () => draw(<PublicApp locale={activeLocale()} />)));
}

/** A page that is drawn anew in another language keeps what stands in its form, as at the first drawing. */
function onLocaleChange(listener: () => void): void {
  let before = activeLocale();
  subscribeToMessages(() => {
    if (before === activeLocale()) return;
    before = activeLocale();
    listener();
  });
}

/** Landing, sign-in and their like: plain pages that follow ordinary links without loading anew. */
function PublicApp({ locale }: { locale: Locale }) {
  return (
    <UiWordsProvider words={interfaceWords()}>
      <ErrorBoundary key={locale}>
        <PublicPage />
      </ErrorBoundary>
      <Toaster />
    </UiWordsProvider>
  );
}

const loadedPages = new Map<string, { Page: ComponentType }>();

async function loadPublicPage(path: string): Promise<void> {
  const route = publicRoutes.find((candidate) => candidate.path === path);
  if (!route || loadedPages.has(path)) return;
  const [Page] = await Promise.all([route.page(), loadMessages(...route.messages)]);
  loadedPages.set(path, { Page });
}

function PublicPage() {
  const path = usePublicPath();
  const [, setLoads] = useState(0);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (loadedPages.has(path)) return;
    const fail = (error: unknown) => setFailure(new Error(t('common.error.internal'), { cause: error }));
    loadPublicPage(path).then(() => setLoads((loads) => loads + 1), fail);
  }, [path]);
  if (failure !== undefined) throw failure;
  const loaded = loadedPages.get(path);
  // Never the page before: what somebody types into it would be lost when the next one comes.
  return loaded ? <loaded.Page /> : <LoadingText />;
}

function followInside(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = findInsideLink(event);
  if (!link) return;
  event.preventDefault();
  goTo(link.href);
}

/** Whoever points at a link is about to follow it. */
function loadAhead(event: Event): void {
  const link = findInsideLink(event);
  // What cannot be loaded now is tried again, and reported, when the link is followed.
  if (link) loadPublicPage(link.pathname).catch(() => undefined);
}

function findInsideLink({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined;
  const samePage = link.pathname === location.pathname && link.hash !== '';
  return isPublicPath(link.pathname) && !samePage ? link : undefined;
}

class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!('error' in this.state)) return this.props.children;
    return <UnexpectedError error={this.state.error} />;
  }
}
