import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';

/** One slim line above the page. */
export function SampleLine({ onHide }: { onHide: () => void }) {
  return (
    <aside aria-label={t('sample.start')} className="shrink-0">
      <div
        role="note"
        className="flex shrink-0 items-center gap-2 border-b border-border bg-info-soft py-1 pr-2 pl-4 text-sm text-info max-md:in-[body:has([data-whole-screen])]:hidden"
      >
        <p className="min-w-0 flex-1 text-pretty max-md:truncate">
          <span className="max-md:hidden">{t('sample.hint')}</span>
          <span className="md:hidden">{t('sample.short')}</span>{' '}
          <Link
            to={paths.settings}
            search={{ tab: 'data' }}
            className="font-medium underline underline-offset-2"
          >
            {t('sample.start')}
          </Link>
        </p>
        <IconButton size="small" label={t('sample.hide')} onClick={onHide}>
          <X aria-hidden />
        </IconButton>
      </div>
    </aside>
  );
}
