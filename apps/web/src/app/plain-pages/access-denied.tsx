import { Lock } from 'lucide-react';
import { ButtonLink } from '../../shared/links.tsx';
import { t, type MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { PageMessage } from './page-message.tsx';

export function AccessDenied({ text = 'common.accessDeniedText' }: { text?: MessageKey | undefined }) {
  return (
    <PageMessage
      icon={<Lock />}
      title={t('common.accessDenied')}
      text={t(text)}
      actions={<ButtonLink to={paths.dashboard}>{t('common.goToDashboard')}</ButtonLink>}
    />
  );
}
