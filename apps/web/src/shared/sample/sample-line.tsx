import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';

/** One slim line above the page. */
export function SampleLine({ onHide }: { onHide: () => void }) {
  return (
    <aside
      data-banner
      aria-label={t('sample.start')}
      className="max-md:in-[body:not(:has([data-home]))]:hidden"
    >
      <div
        role="note"
        className="flex items-center gap-2 border-b border-border bg-info-soft py-1 pr-2 pl-4 text-sm text-info"
      >
        <p className="min-w-0 text-pretty max-md:truncate">
          <span className="max-md:hidden">{t('sample.hint')}</span>
          <span className="md:hidden">{t('sample.short')}</span>
        </p>
        {/* Beside the text, so that a narrow screen shortens the text and never the link. */}
        <Link
          to={paths.settings}
          search={{ tab: 'data' }}
          className="mr-auto shrink-0 font-medium underline underline-offset-2"
        >
          {t('sample.start')}
        </Link>
        <IconButton size="small" label={t('sample.hide')} onClick={onHide}>
          <X aria-hidden />
        </IconButton>
      </div>
    </aside>
  );
}
