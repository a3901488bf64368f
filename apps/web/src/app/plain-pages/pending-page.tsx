import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { OfflineState } from '../../ui/states.tsx';

/** In place of a page that could not be loaded and comes with the connection. */
export function PendingPage() {
  return (
    <div role="status">
      <OfflineState action={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>} />
    </div>
  );
}
