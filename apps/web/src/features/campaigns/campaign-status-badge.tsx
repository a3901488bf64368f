import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { campaignStatusLook } from '../../shared/campaigns/campaign-status-look.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';

export function CampaignStatusBadge({ status }: { status: CampaignStatus }) {
  return (
    <Badge tone={campaignStatusLook[status].tone} dot={status === 'running'}>
      {t(`campaigns.status.${status}`)}
    </Badge>
  );
}
