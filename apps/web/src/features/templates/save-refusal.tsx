import { useEffect, useRef } from 'react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import type { TemplateSave } from './use-template-save.ts';

/** Why the template was not saved; it scrolls into view, because the button that was pressed is far below. */
export function SaveRefusal({ save }: { save: TemplateSave }) {
  const place = useRef<HTMLDivElement>(null);
  const isShown = save.conflict !== null || save.failure !== null;
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'center' });
  }, [isShown, save.pending]);
  if (!isShown) return null;
  return (
    <div ref={place} className="flex flex-col gap-3">
      {save.conflict === 'changed' ? (
        <Conflict onLoad={() => void save.loadTheirs()} onOverwrite={() => void save.overwrite()} />
      ) : null}
      {save.conflict === 'deleted' ? (
        <Banner
          tone="danger"
          action={
            can('templates:create') ? (
              <Button size="small" onClick={() => void save.saveAnew()}>
                {t('templates.form.saveAnew')}
              </Button>
            ) : null
          }
        >
          {t('templates.form.deletedText')}
        </Banner>
      ) : null}
      {save.failure === null ? null : <Banner tone="danger">{save.failure}</Banner>}
    </div>
  );
}

function Conflict({ onLoad, onOverwrite }: { onLoad: () => void; onOverwrite: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="small" onClick={onLoad}>
            {t('templates.form.loadTheirs')}
          </Button>
          <Button size="small" onClick={onOverwrite}>
            {t('templates.form.saveMine')}
          </Button>
        </span>
      }
    >
      <p>{t('templates.form.changedTitle')}</p>
      <p className="font-normal">{t('templates.form.changedText')}</p>
    </Banner>
  );
}
