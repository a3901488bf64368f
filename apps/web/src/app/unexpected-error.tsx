import { t } from '../shared/messages.ts';
import { Button } from '../ui/button.tsx';

/** What is shown when a page breaks: the error's own text and a way on. */
export function UnexpectedError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="grid min-h-[60dvh] place-items-center p-6 text-center">
      <div className="max-w-xl">
        <h1 className="text-xl font-semibold">{t('common.unexpectedError')}</h1>
        <p className="mt-2 text-muted">{t('common.unexpectedErrorHint')}</p>
        <pre className="mt-4 overflow-x-auto rounded-card border border-border bg-sunken p-3 text-left text-sm whitespace-pre-wrap">
          {error instanceof Error ? error.message : String(error)}
        </pre>
        <Button variant="primary" className="mt-5" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      </div>
    </div>
  );
}
