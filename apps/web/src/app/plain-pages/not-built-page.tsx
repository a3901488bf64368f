import { Hammer } from 'lucide-react';
import type { ComponentType } from 'react';
import { ButtonLink } from '../../shared/links.tsx';
import { t, type MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Stands for a page that comes later and says so. */
export function notBuiltPage(label: MessageKey): ComponentType {
  return function NotBuiltPage() {
    const page = t(label);
    return (
      <PageFrame title={page}>
        <Panel>
          <EmptyState
            icon={<Hammer />}
            title={t('missingPage.notBuilt', { page })}
            text={t('missingPage.notBuiltText')}
            action={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
          />
        </Panel>
      </PageFrame>
    );
  };
}
