import { formatMoney, formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Panel } from '../../../ui/page-frame.tsx';
import { useTemplate } from '../../sending/message/template-queries.ts';
import { useChannels } from '../../sending/number-field.tsx';
import type { CampaignDetails } from '../campaigns-queries.ts';
import { limitText } from './limit-text.ts';

const shown = ['waiting', 'sent', 'delivered', 'read', 'failed', 'arrived', 'leftOut', 'unknown'] as const;

/** What follows for whom the first message did not reach, and what became of them. */
export function FallbackPanel({ campaign }: { campaign: CampaignDetails }) {
  const { fallback, fallbackCounts, fallbackCost } = campaign;
  const { template } = useTemplate(fallback?.templateId ?? null);
  const channels = useChannels();
  if (fallback === null) return null;
  const number = channels.find(({ id }) => id === fallback.channelId)?.displayName ?? '';
  return (
    <Panel
      title={t('campaigns.fallback.title')}
      purpose={t('campaigns.fallback.about', {
        ...{ limit: limitText(fallback.afterSeconds), template: template?.name ?? '', number },
      })}
    >
      {fallbackCounts === null ? null : (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {shown.map((name) => (
            <div key={name}>
              <dt className="text-sm text-muted">{t(`campaigns.fallback.count.${name}`)}</dt>
              <dd className="text-lg font-semibold tabular-nums">{formatNumber(fallbackCounts[name])}</dd>
            </div>
          ))}
        </dl>
      )}
      {fallbackCost === null || !fallbackCounts?.delivered ? null : (
        <p className="mt-3 text-sm text-pretty text-muted">
          {t('campaigns.fallback.prices', {
            first: formatMoney(campaign.pricePerMessage, campaign.priceCurrency),
            second: formatMoney(fallbackCost.amount / fallbackCounts.delivered, fallbackCost.currency),
            cost: formatMoney(fallbackCost.amount, fallbackCost.currency),
          })}
        </p>
      )}
    </Panel>
  );
}
