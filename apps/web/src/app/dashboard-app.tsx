import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useIsReachable } from '../shared/live/live-events.ts';
import { useLocale } from '../shared/messages.ts';
import { keepOfflineData } from '../shared/offline/offline-data.ts';
import { queryClient } from '../shared/query-client.ts';
import { whenFirstRead } from '../shared/rpc/first-read.ts';
import { readSavedSession } from '../shared/sign-in/saved-session.ts';
import { findSession } from '../shared/session.ts';
import { inWorkspace } from '../shared/workspaces/tab-workspace.ts';
import { ConfirmProvider } from '../ui/overlays/confirm.tsx';
import { OfflineContext } from '../ui/connection.tsx';
import { PictureAddressContext } from '../ui/avatar.tsx';
import { loadFile, whenSettled } from '../ui/load-file.ts';
import { loadAwayDialog } from '../ui/overlays/lazy-dialog.tsx';
import { Toaster } from '../ui/toasts/toaster.tsx';
import { UiWordsProvider } from '../ui/ui-words.tsx';
import { ReauthenticationLayer } from './reauthentication/reauthentication-layer.tsx';
import { interfaceWords } from './interface-words.ts';
import { offlineRoutes, router, whatIsRead } from './router.tsx';
import { guardHeldEnter, guardSecondHalf } from './second-half.ts';

/** So long what the HTML shows stays; a page that is still not there then tells why itself. */
const PATIENCE_MS = 5_000;

/** Makes the first page ready, so that the first drawing is the page itself. */
export async function openDashboard(): Promise<void> {
  // Before the router asks for the first page's data.
  keepOfflineData(queryClient, { readOwner, build: readBuild() });
  void whenSettled().then(() => loadFile(loadAhead));
  guardSecondHalf(document);
  guardHeldEnter(document);
  // Nobody removes anything before the page is there.
  void loadFile(async () => (await import('./keep-focus.ts')).keepFocus());
  void loadFile(loadAwayDialog);
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([findSession().then(() => router.load()), patience]);
  await whenFirstRead(queryClient, whatIsRead());
}

export function DashboardApp() {
  // `t` is a plain function, so a new language draws everything anew; the data stays in the query cache.
  const locale = useLocale();
  const isReachable = useIsReachable();
  return (
    <QueryClientProvider client={queryClient}>
      <UiWordsProvider words={interfaceWords()}>
        <OfflineContext value={!isReachable}>
          <PictureAddressContext value={inWorkspace}>
            <ConfirmProvider>
              <RouterProvider key={locale} router={router} />
              <Toaster />
              <ReauthenticationLayer />
            </ConfirmProvider>
          </PictureAddressContext>
        </OfflineContext>
      </UiWordsProvider>
    </QueryClientProvider>
  );
}

function readOwner() {
  const session = readSavedSession();
  return session && { userId: session.user.id, workspaceId: session.workspace.id };
}

/** The name of the first script changes with every other one. */
function readBuild(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '';
}

async function loadAhead(): Promise<void> {
  (await import('./load-ahead.ts')).loadAheadWhenIdle(offlineRoutes);
}
