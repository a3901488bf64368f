import { TriangleAlert, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { formatMoney, formatNumber } from '../formats.ts';
import { ButtonLink } from '../links.tsx';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import type { Usage, UsageNews } from './usage-news.ts';

/** One sentence, and the way to where it can be changed. */
export function UsageWarning({ usage, news, onHide }: { usage: Usage; news: UsageNews; onHide: () => void }) {
  return (
    <aside
      data-banner
      aria-label={t('settings.usage.open')}
      className="px-4 pt-3 max-md:in-[body:not(:has([data-home]))]:hidden"
    >
      <Banner
        tone="warning"
        icon={<TriangleAlert aria-hidden />}
        action={
          <span className="flex items-center gap-2">
            <ButtonLink
              to={paths.settings}
              search={news.kind === 'budget' ? { tab: 'messaging', section: 'budget' } : { tab: 'general' }}
              size="small"
            >
              {t('settings.usage.open')}
            </ButtonLink>
            <IconButton size="small" label={t('settings.usage.hide')} onClick={onHide}>
              <X aria-hidden />
            </IconButton>
          </span>
        }
      >
        {textOf(usage, news)}
      </Banner>
    </aside>
  );
}

function textOf({ budget, plan }: Usage, { kind, level }: UsageNews): string {
  if (kind !== 'budget') {
    const { used, most } = plan[kind];
    return t(`settings.usage.${kind}`, { used: formatNumber(used), most: formatNumber(most ?? used) });
  }
  if (level === 'full' || budget === null) return t('settings.usage.budgetFull');
  const { left, perMonth, currency } = budget;
  return t('settings.usage.budgetNear', {
    left: formatMoney(left, currency),
    most: formatMoney(perMonth, currency),
  });
}
