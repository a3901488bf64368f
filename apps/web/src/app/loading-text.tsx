import { t } from '../shared/messages.ts';

export function LoadingText() {
  return (
    <p role="status" className="grid min-h-40 place-items-center p-8 text-muted">
      {t('common.loading')}
    </p>
  );
}
