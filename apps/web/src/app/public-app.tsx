import { Component, useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { loadMessages, useLocale } from '../shared/messages.ts';
import { goTo, usePublicPath } from '../shared/public-navigation.ts';
import { Toaster } from '../ui/toast.tsx';
import { UiWordsProvider } from '../ui/ui-words.tsx';
import { interfaceWords } from './interface-words.ts';
import { LoadingText } from './loading-text.tsx';
import { isPublicPath, publicRoutes } from './public-routes.ts';
import { UnexpectedError } from './unexpected-error.tsx';

/** Landing, sign-in and their like: plain pages that follow ordinary links without loading anew. */
export function PublicApp() {
  const locale = useLocale();
  const path = usePublicPath();
  useEffect(() => {
    document.addEventListener('click', followInside);
    document.addEventListener('pointerover', loadAhead);
    document.addEventListener('focusin', loadAhead);
    return () => {
      document.removeEventListener('click', followInside);
      document.removeEventListener('pointerover', loadAhead);
      document.removeEventListener('focusin', loadAhead);
    };
  }, []);
  return (
    <UiWordsProvider words={interfaceWords()}>
      <ErrorBoundary key={locale}>
        <PublicPage path={path} />
      </ErrorBoundary>
      <Toaster />
    </UiWordsProvider>
  );
}

const loadedPages = new Map<string, { Page: ComponentType }>();

/** Before the first drawing: a page that is in the HTML already must not give way to a loading text. */
export async function preloadPublicPage(path: string): Promise<void> {
  const route = publicRoutes.find((candidate) => candidate.path === path);
  if (!route || loadedPages.has(path)) return;
  const [Page] = await Promise.all([route.page(), loadMessages(...route.messages)]);
  loadedPages.set(path, { Page });
}

function PublicPage({ path }: { path: string }) {
  const [shown, setShown] = useState(path);
  const [, setLoads] = useState(0);
  const [failure, setFailure] = useState<unknown>();
  // On the way to the dashboard the form that was sent stays until it is there.
  if (path !== shown && isPublicPath(path)) setShown(path);
  useEffect(() => {
    if (loadedPages.has(shown)) return;
    preloadPublicPage(shown).then(() => setLoads((loads) => loads + 1), setFailure);
  }, [shown]);
  if (failure !== undefined) throw failure;
  const loaded = loadedPages.get(shown);
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
  if (link) preloadPublicPage(link.pathname).catch(() => undefined);
}

function findInsideLink({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined;
  const samePage = link.pathname === location.pathname && link.hash !== '';
  const inside = isPublicPath(link.pathname) || link.pathname.startsWith('/dashboard');
  return inside && !samePage ? link : undefined;
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
