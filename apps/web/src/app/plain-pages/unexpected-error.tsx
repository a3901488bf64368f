import { CircleAlert } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { PageMessage } from './page-message.tsx';

/** What is shown when a page breaks: the error's own text and a way on. */
export function UnexpectedError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <PageMessage
      isAlert
      icon={<CircleAlert />}
      title={t('missingPage.unexpectedError')}
      text={t('missingPage.unexpectedErrorHint')}
      actions={
        <>
          {onRetry ? (
            <Button variant="primary" onClick={onRetry}>
              {t('ui.retry')}
            </Button>
          ) : null}
          <Button onClick={() => location.reload()}>{t('missingPage.reload')}</Button>
        </>
      }
    >
      <pre className="mt-4 overflow-x-auto rounded-card border border-border bg-sunken p-3 text-left text-sm break-words whitespace-pre-wrap">
        {error instanceof Error ? error.message : String(error)}
      </pre>
    </PageMessage>
  );
}
