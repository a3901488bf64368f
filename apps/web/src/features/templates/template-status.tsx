import { TriangleAlert } from 'lucide-react';
import type { SendObstacle } from '@app/domain/templates/platform-status';
import { platformCategory } from '@app/domain/templates/template-category';
import { t } from '../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { shownOf, type Template } from './templates-queries.ts';
import { isStatus, platformCategoryLabel, rejectionText, shownLabel, shownTone } from './template-words.ts';

/** The status, and what the platform says where that differs. */
export function TemplateStatusBadges({ template }: { template: Template }) {
  const { category, platform, rejection } = template;
  const isRecategorized = platform?.category && platform.category !== platformCategory(category);
  return (
    <>
      <StatusBadge status={shownOf(template)} reason={rejection && rejectionText(rejection)} />
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
function StatusBadge({ status, reason }: { status: SendObstacle | 'approved'; reason: string | null }) {
  if (isStatus(status)) {
    return (
      <Badge tone={shownTone(status)} dot>
        {shownLabel(status)}
      </Badge>
    );
  }
  const badge = (
    <Badge tone={shownTone(status)} icon={<TriangleAlert aria-hidden />}>
      {shownLabel(status)}
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

const marks: Partial<Record<BadgeTone, string>> = {
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
};

/** The status of one language among several: a dot, and the word for whoever hears the page. */
export function StatusMark({ template }: { template: Template }) {
  const status = shownOf(template);
  return (
    <>
      <span
        aria-hidden
        title={shownLabel(status)}
        className={classNames('size-1.5 shrink-0 rounded-full', marks[shownTone(status)] ?? 'bg-muted')}
      />
      <span className="sr-only">{shownLabel(status)}</span>
    </>
  );
}
