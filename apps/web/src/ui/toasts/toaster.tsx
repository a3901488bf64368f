import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { lazyDetail, loadFile } from '../load-file.ts';
import { shownToasts } from '../toast.ts';
import { useUiWords } from '../ui-words.tsx';

const loadCard = async () => (await import('./toast-card.tsx')).ToastCard;
const Toast = lazyDetail(loadCard);
/** The card is no part of the first view. It is there before the connection goes, of which it may have to tell. */
const QUIET_MS = 2_000;

/** The place where notifications appear: once per app. */
export function Toaster() {
  const words = useUiWords();
  const shown = useSyncExternalStore(shownToasts.subscribe, shownToasts.read);
  useEffect(() => {
    const timer = setTimeout(() => void loadFile(loadCard), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  const those = (areErrors: boolean) => (
    <Suspense>
      {shown
        .filter(({ kind }) => (kind === 'error') === areErrors)
        .map((toast) => (
          <Toast key={toast.id} toast={toast} closeLabel={words.close} />
        ))}
    </Suspense>
  );
  return (
    <section
      data-notifications
      aria-label={words.notifications}
      className="pointer-events-none fixed right-(--toast-small-right) left-0 top-(--toast-top) bottom-(--toast-bottom) layer-toast flex flex-col items-center gap-2 p-4 sm:right-(--toast-right) sm:left-(--toast-left) sm:w-(--toast-width)"
    >
      <div aria-live="polite" className="contents">
        {those(false)}
      </div>
      <div aria-live="assertive" className="contents">
        {those(true)}
      </div>
    </section>
  );
}
