import { TriangleAlert } from 'lucide-react';
import type { ShownStatus } from '@app/domain/templates/platform-status';
import { platformCategory } from '@app/domain/templates/template-category';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { shownOf, type Template } from './templates-queries.ts';
import { platformCategoryLabel, statusLabel, statusTones } from './template-words.ts';

/** The status, and what the platform says where that differs. */
export function TemplateStatusBadges({ template }: { template: Template }) {
  const { category, platform, rejectionReason } = template;
  const isRecategorized = platform?.category && platform.category !== platformCategory(category);
  return (
    <>
      <StatusBadge status={shownOf(template)} reason={rejectionReason} />
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

/** One word on whether it can be sent, never two that disagree. */
function StatusBadge({ status, reason }: { status: ShownStatus; reason: string | null }) {
  if (status === 'draft' || status === 'pending' || status === 'approved' || status === 'rejected') {
    return (
      <Badge tone={statusTones[status]} dot>
        {statusLabel(status)}
      </Badge>
    );
  }
  const badge = (
    <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
      {t(`templates.shown.${status}`)}
    </Badge>
  );
  if (reason === null) return badge;
  return (
    <Tooltip text={reason}>
      <button type="button" className="rounded-full">
        {badge}
      </button>
    </Tooltip>
  );
}
