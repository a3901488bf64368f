import { Ban, Copy, EllipsisVertical, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { allowsAction } from '@app/domain/campaigns/campaign-status';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import type { Campaign } from './campaigns-queries.ts';
import { mainAction, type useCampaignActions } from './use-campaign-actions.ts';

type Acts = ReturnType<typeof useCampaignActions>;

/** Start, pause or resume: what the campaign is waiting for. */
export function MainActionButton({
  campaign,
  acts,
  size = 'small',
}: {
  campaign: Campaign;
  acts: Acts;
  size?: 'small' | 'medium' | undefined;
}) {
  const act = mainAction(campaign.status);
  if (act === null) return null;
  const label =
    act === 'start' && campaign.status === 'scheduled'
      ? t('campaigns.act.startNow')
      : t(`campaigns.act.${act}`);
  return (
    <Button
      size={size}
      variant={act === 'pause' ? 'secondary' : 'primary'}
      icon={act === 'pause' ? <Pause aria-hidden /> : <Play aria-hidden />}
      loading={acts.pendingAction(campaign.id) !== undefined}
      onClick={() => void acts.act(act, campaign)}
    >
      {label}
    </Button>
  );
}

export interface CampaignMenuProps {
  campaign: Campaign;
  acts: Acts;
  onEdit: () => void;
  onDuplicate: () => void;
  onDeleted?: (() => void) | undefined;
  size?: 'small' | 'medium' | undefined;
}

export function CampaignMenu(props: CampaignMenuProps) {
  const entries = menuEntries(props);
  if (entries.length === 0) return null;
  return (
    <Menu
      entries={entries}
      trigger={
        <IconButton
          label={t('campaigns.act.menu', { name: props.campaign.name })}
          size={props.size ?? 'small'}
          variant={props.size === 'medium' ? 'secondary' : 'ghost'}
        >
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    />
  );
}

function menuEntries({ campaign, acts, onEdit, onDuplicate, onDeleted }: CampaignMenuProps): MenuEntry[] {
  const { status } = campaign;
  const entries: MenuEntry[] = [];
  if (can('campaigns:update')) {
    entries.push({
      label: t('campaigns.act.edit'),
      icon: <Pencil aria-hidden />,
      onSelect: onEdit,
    });
  }
  if (can('campaigns:create')) {
    entries.push({ label: t('campaigns.act.duplicate'), icon: <Copy aria-hidden />, onSelect: onDuplicate });
  }
  if (can('campaigns:update') && allowsAction(status, 'cancel')) {
    entries.push({
      label: t('campaigns.act.cancel'),
      icon: <Ban aria-hidden />,
      onSelect: () => void acts.cancel(campaign),
    });
  }
  if (can('campaigns:delete')) {
    if (entries.length > 0) entries.push('separator');
    entries.push({
      label: t('campaigns.act.delete'),
      icon: <Trash2 aria-hidden />,
      danger: true,
      onSelect: () => void acts.remove(campaign).then((isDeleted) => isDeleted && onDeleted?.()),
    });
  }
  return entries;
}
