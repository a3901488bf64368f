import { Banner } from '../ui/states.tsx';
import { t } from './messages.ts';

/** Says that the rows below were searched for on this device alone. */
export function OfflineSearchNote({ searched }: { searched: number }) {
  return (
    <div className="mb-3">
      <Banner tone="warning">{t('common.offlineSearch', { n: searched })}</Banner>
    </div>
  );
}
