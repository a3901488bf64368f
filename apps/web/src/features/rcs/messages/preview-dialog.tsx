import { rcsRates, readRcsMessage } from '@app/domain/rcs/rcs-message';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { describeFault } from './fault-words.ts';
import { LoadedMessage } from './message-dialog.tsx';
import { Phones } from './phones.tsx';
import type { RcsMessage } from './rcs-messages-queries.ts';
import { rateText } from '../rate-text.ts';

/** How phones show a message; at most three cards of a carousel. */
export function PreviewDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  return (
    <LoadedMessage messageId={messageId} title={t('rcs.preview')} onClose={onClose}>
      {({ name, type, category, metrics, content: stored }) => {
        const { content, faults } = readRcsMessage(type, stored);
        return (
          <Dialog
            open
            onOpenChange={(open) => {
              if (!open) onClose();
            }}
            size="large"
            title={name}
            footer={<Button onClick={onClose}>{t('common.close')}</Button>}
          >
            <div className="flex flex-col gap-4">
              <div className="flex flex-wrap gap-1.5">
                <Badge>{t(`rcs.type.${type}`)}</Badge>
                <Badge>{t(`rcs.category.${category}`)}</Badge>
              </div>
              {faults[0] ? <Banner tone="warning">{describeFault(faults[0])}</Banner> : null}
              {metrics.sent > 0 ? <Metrics metrics={metrics} /> : null}
              <Phones content={content} name={name} />
            </div>
          </Dialog>
        );
      }}
    </LoadedMessage>
  );
}

/** What became of it in all its campaigns. */
function Metrics({ metrics }: { metrics: RcsMessage['metrics'] }) {
  const rates = rcsRates(metrics);
  const figures = [
    ...(['sent', 'delivered', 'read', 'clicked', 'conversions'] as const).map((name) => [
      t(`rcs.metric.${name}`),
      formatNumber(metrics[name]),
    ]),
    ...(['click', 'conversion'] as const).map((name) => [t(`rcs.rate.${name}`), rateText(rates[name])]),
  ];
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-x-3 gap-y-2 tabular-nums">
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col justify-end">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
