import { Lock } from 'lucide-react';
import { ButtonLink } from '../shared/links.tsx';
import { t } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';

export function AccessDenied() {
  return (
    <div className="grid min-h-[60dvh] place-items-center p-6 text-center">
      <div>
        <span
          aria-hidden
          className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-sunken text-muted"
        >
          <Lock className="size-5" />
        </span>
        <h1 className="text-xl font-semibold">{t('common.accessDenied')}</h1>
        <p className="mt-1 mb-5 text-muted">{t('common.accessDeniedText')}</p>
        <ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>
      </div>
    </div>
  );
}
