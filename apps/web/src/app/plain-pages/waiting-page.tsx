import { useIsOffline } from '../../ui/connection.tsx';
import { OfflineState } from '../../ui/states.tsx';
import { LoadingText } from '../loading-text.tsx';

/**
 * While it is not known who is signed in, or a page is on its way: without a connection it says what it waits for. `isUnreachable`: a request
 * failed, also where the browser does not know yet that it has no network.
 */
export function WaitingPage({ isUnreachable = false }: { isUnreachable?: boolean }) {
  const isOffline = useIsOffline();
  if (!isOffline && !isUnreachable) return <LoadingText />;
  return (
    <div role="status">
      <OfflineState />
    </div>
  );
}
