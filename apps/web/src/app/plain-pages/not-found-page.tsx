import { Compass } from 'lucide-react';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { PageMessage } from './page-message.tsx';

export function NotFoundPage() {
  return (
    <PageMessage
      icon={<Compass />}
      title={t('missingPage.notFound')}
      text={t('missingPage.notFoundText')}
      actions={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
    />
  );
}
