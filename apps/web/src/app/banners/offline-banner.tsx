import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIsReachable, useLiveState } from '../../shared/live/live-events.ts';
import { t } from '../../shared/messages.ts';

/** A server that restarts is back before anybody needs to know. */
const PATIENCE_MS = 10_000;

/** Says that what is shown may be old: without a network, or when the server is long gone. */
export function OfflineBanner() {
  const isOffline = !useIsReachable();
  const isLost = useLiveState() !== 'connected';
  const [isLongLost, setLongLost] = useState(false);
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setTimeout(() => setLongLost(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLongLost(false);
    };
  }, [isLost]);
  const isShown = isOffline || isLongLost;
  return (
    <div role="status" data-banner={isShown ? '' : undefined}>
      {isShown ? (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-center font-medium text-warning">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {t(isOffline ? 'common.offline' : 'common.connectionLost')}
        </p>
      ) : null}
    </div>
  );
}
