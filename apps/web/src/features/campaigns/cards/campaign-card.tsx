import { Link } from '@tanstack/react-router';
import { FileText, TriangleAlert, Users } from 'lucide-react';
import { formatDate, formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { outcomeColors } from '../../../ui/charts/outcome-colors.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page-frame.tsx';
import { ProgressParts } from '../../../ui/progress.tsx';
import { CampaignMenu, MainActionButton, type CampaignMenuProps } from '../campaign-actions.tsx';
import { pauseText } from '../../sending/delivery-words.ts';
import { CampaignStats, progressParts } from '../campaign-stats.tsx';
import { CampaignStatusBadge } from '../campaign-status-badge.tsx';
import type { Campaign } from '../campaigns-queries.ts';

export function CampaignCard(props: CampaignMenuProps) {
  const { campaign, acts } = props;
  const { id, name, status, kind, counts, audienceSize } = campaign;
  const parts = progressParts(counts);
  // What it waited for is read anew a moment after it went on.
  const pause = status === 'paused' ? pauseText(campaign) : null;
  return (
    <Card
      title={
        <Link to={paths.campaign(id)} className="rounded hover:underline">
          {name}
        </Link>
      }
      badges={
        <>
          <CampaignStatusBadge status={status} />
          {kind === 'bulk' ? <Badge>{t('campaigns.kind.bulk')}</Badge> : null}
        </>
      }
      menu={<CampaignMenu {...props} />}
      footer={
        <>
          <span className="line-clamp-2 min-w-0 flex-1">{timeLine(campaign)}</span>
          <MainActionButton campaign={campaign} acts={acts} />
        </>
      }
    >
      <ul className="flex flex-col gap-1 text-sm text-muted">
        <li className="flex items-center gap-2">
          <FileText aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{messageName(campaign)}</span>
        </li>
        <li className="flex items-center gap-2 tabular-nums">
          <Users aria-hidden className="size-4 shrink-0" />
          {t('campaigns.contacts', { n: counts.total || audienceSize })}
        </li>
      </ul>
      {pause ? (
        <p className="mt-3 flex items-start gap-2 text-sm text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="line-clamp-2">{pause}</span>
        </p>
      ) : null}
      {status === 'draft' ? null : (
        <div className="mt-4 flex flex-col gap-3">
          <ProgressParts
            label={t('campaigns.page.progressOf')}
            parts={parts}
            total={counts.total || audienceSize}
            // The figures below have the marks of the others.
            legend={parts.filter(({ color }) => color === outcomeColors.unknown)}
          />
          <CampaignStats counts={counts} />
        </div>
      )}
    </Card>
  );
}

export function messageName({ templateName, templateId, customMessage, contentName }: Campaign): string {
  if (contentName !== null) return contentName;
  if (customMessage !== null) return customMessage;
  return templateId === null ? t('campaigns.templateDeleted') : (templateName ?? '');
}

function timeLine({ status, scheduledAt, completedAt, startedAt, createdAt }: Campaign): string {
  if (status === 'scheduled' && scheduledAt)
    return t('campaigns.scheduledFor', { time: formatDateTime(scheduledAt) });
  if (completedAt)
    return t(status === 'cancelled' ? 'campaigns.cancelledAt' : 'campaigns.completedAt', {
      time: formatDateTime(completedAt),
    });
  if (startedAt) return t('campaigns.startedAt', { time: formatDateTime(startedAt) });
  return t('campaigns.created', { date: formatDate(createdAt) });
}
