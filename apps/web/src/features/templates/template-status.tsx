import { TriangleAlert } from 'lucide-react';
import { platformCategory } from '@app/domain/templates/template-category';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Template } from './templates-queries.ts';
import { platformCategoryLabel, statusLabel, statusTones } from './template-words.ts';

/** The status, and what the platform says where that differs. */
export function TemplateStatusBadges({ template }: { template: Template }) {
  const { status, category, isSendable, platform, rejectionReason } = template;
  const isRecategorized = platform?.category && platform.category !== platformCategory(category);
  return (
    <>
      <Badge tone={statusTones[status]} dot>
        {statusLabel(status)}
      </Badge>
      {status === 'approved' && !isSendable && platform?.status !== 'PAUSED' ? (
        <Tooltip text={rejectionReason ?? platformText(platform?.status)}>
          <button type="button" className="rounded-full">
            <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
              {platform?.status === 'PENDING' ? t('templates.inReview') : t('templates.notSendable')}
            </Badge>
          </button>
        </Tooltip>
      ) : null}
      {platform?.status === 'PAUSED' ? (
        <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
          {t('templates.paused')}
        </Badge>
      ) : null}
      {isRecategorized ? (
        <Badge tone="info">
          {t('templates.recategorized', { category: platformCategoryLabel(platform.category ?? '') })}
        </Badge>
      ) : null}
      {platform?.quality === 'YELLOW' || platform?.quality === 'RED' ? (
        <Badge tone={platform.quality === 'RED' ? 'danger' : 'warning'}>
          {t(`templates.quality.${platform.quality}`)}
        </Badge>
      ) : null}
    </>
  );
}

function platformText(status: string | null | undefined): string {
  return status === 'PENDING' ? t('templates.inReview') : t('templates.notSendable');
}
