import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { t } from '../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const tones: Record<CampaignStatus, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'info',
  running: 'primary',
  completed: 'success',
  paused: 'warning',
  cancelled: 'danger',
};

export function CampaignStatusBadge({ status }: { status: CampaignStatus }) {
  return (
    <Badge tone={tones[status]} dot={status === 'running'}>
      {t(`campaigns.status.${status}`)}
    </Badge>
  );
}
