import { useIsOffline } from '../../ui/connection.tsx';
import { OfflineState } from '../../ui/states.tsx';
import { LoadingText } from '../loading-text.tsx';

/** While it is not known who is signed in, or a page is on its way: without a connection it says what it waits for. */
export function WaitingPage() {
  if (!useIsOffline()) return <LoadingText />;
  return (
    <div role="status">
      <OfflineState />
    </div>
  );
}
