import { useLocation } from '@tanstack/react-router';
import { Hammer } from 'lucide-react';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { navigation } from '../navigation.tsx';

/** Stands for a page that comes later and says so. */
export function NotBuiltPage() {
  const { pathname } = useLocation();
  const item = navigation.find((entry) => entry.path === pathname);
  const page = item ? t(item.label) : pathname;
  return (
    <PageFrame title={page}>
      <div className="rounded-card border border-border bg-raised">
        <EmptyState
          icon={<Hammer />}
          title={t('missingPage.notBuilt', { page })}
          text={t('missingPage.notBuiltText')}
          action={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
        />
      </div>
    </PageFrame>
  );
}
