import { Banner } from '../../ui/states.tsx';
import { offlineSearchText } from '../../ui/controls/searched-here-text.ts';

/** Says that the rows below were searched for on this device alone; nothing when the server was asked. */
export function OfflineSearchNote({ searched }: { searched: number | undefined }) {
  if (searched === undefined) return null;
  return (
    <div className="mb-3">
      <Banner tone="warning">{offlineSearchText(searched)}</Banner>
    </div>
  );
}
