import { t } from '../shared/messages.ts';
import { ButtonLink } from '../shared/links.tsx';
import { paths } from '../shared/paths.ts';
import { useIsFileAwaited } from '../ui/load-file.ts';
import { OfflineState } from '../ui/states.tsx';
import { LoadingText } from './loading-text.tsx';

/** While a page is on its way; without a connection it says that it comes with the connection. */
export function PendingPage() {
  if (!useIsFileAwaited()) return <LoadingText />;
  return (
    <div role="status">
      <OfflineState
        text={t('common.pageOffline')}
        action={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
      />
    </div>
  );
}
