import { Bookmark, TriangleAlert, X } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { Views } from './use-views.ts';

/** Names the view that the list shows, and what became of it. */
export function ViewStrip({ views }: { views: Views }) {
  const { current, isChanged } = views;
  if (!current) return null;
  return (
    <div
      role="group"
      aria-label={t('inbox.view.current', { name: current.name })}
      className="shrink-0 border-b border-border px-3 py-1 text-sm"
    >
      <div className="flex min-h-7 items-center gap-2">
        <Bookmark aria-hidden className="size-4 shrink-0 text-primary-text" />
        <span dir="auto" title={current.name} className="min-w-0 truncate font-medium">
          {current.name}
        </span>
        {isChanged ? <span className="shrink-0 text-muted">{t('inbox.view.changed')}</span> : null}
        <span className="ml-auto flex shrink-0 items-center gap-1">
          {isChanged && views.mayEdit(current) ? (
            <Button
              size="small"
              variant="ghost"
              loading={views.isSaving}
              onClick={() => views.saveChanges(current)}
            >
              {t('common.save')}
            </Button>
          ) : null}
          <IconButton label={t('inbox.view.leave')} size="small" onClick={views.leave}>
            <X aria-hidden />
          </IconButton>
        </span>
      </div>
      {current.gone.map((part) => (
        <p key={part} className="flex items-start gap-1.5 pb-1 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {t('inbox.view.gone', { part })}
        </p>
      ))}
    </div>
  );
}
