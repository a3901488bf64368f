import { Lock } from 'lucide-react';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { PageMessage } from './page-message.tsx';

export function AccessDenied() {
  return (
    <PageMessage
      icon={<Lock />}
      title={t('common.accessDenied')}
      text={t('common.accessDeniedText')}
      actions={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
    />
  );
}
