import { Compass } from 'lucide-react';
import { ButtonLink } from '../shared/links.tsx';
import { t } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';

export function NotFoundPage() {
  return (
    <div className="grid min-h-[70dvh] place-items-center p-6 text-center">
      <div>
        <Compass aria-hidden className="mx-auto mb-3 size-8 text-muted" />
        <h1 className="text-xl font-semibold">{t('common.notFound')}</h1>
        <p className="mt-1 mb-5 text-muted">{t('common.notFoundText')}</p>
        <ButtonLink to={paths.dashboard} variant="primary">
          {t('common.goToDashboard')}
        </ButtonLink>
      </div>
    </div>
  );
}
