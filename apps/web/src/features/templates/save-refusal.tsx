import { useEffect, useRef } from 'react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
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
        <ConflictBanner
          ways={[
            { label: t('templates.form.loadTheirs'), onSelect: () => void save.loadTheirs() },
            { label: t('templates.form.saveMine'), onSelect: () => void save.overwrite() },
          ]}
        >
          <p>{t('templates.form.changedTitle')}</p>
          <p className="font-normal">{t('templates.form.changedText')}</p>
        </ConflictBanner>
      ) : null}
      {save.conflict === 'deleted' ? (
        <ConflictBanner
          isGone
          ways={
            can('templates:create')
              ? [{ label: t('templates.form.saveAnew'), onSelect: () => void save.saveAnew() }]
              : []
          }
        >
          {t('templates.form.deletedText')}
        </ConflictBanner>
      ) : null}
      {save.failure === null ? null : <Banner tone="danger">{save.failure}</Banner>}
    </div>
  );
}
