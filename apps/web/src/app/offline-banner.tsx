import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { t } from '../shared/messages.ts';

export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {online ? null : (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-center font-medium text-warning">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t('common.offline')}
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
