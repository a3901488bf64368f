import { useNavigate } from '@tanstack/react-router';
import { dayIn } from '@app/domain/analytics/report-period';
import { Ban, ChartColumn, Copy, EllipsisVertical, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { allowsAction } from '@app/domain/campaigns/campaign-status';
import { activeTimeZone } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { hasBegun, type Campaign } from './campaigns-queries.ts';
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
  const navigate = useNavigate();
  const entries = menuEntries(props, (search) => void navigate({ to: paths.analytics, search }));
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

/** Its own days, however long ago: the usual period of the page would not hold them. */
function reportOf({ id, startedAt, createdAt }: Campaign): Record<string, string> {
  const day = (instant: number) => dayIn(activeTimeZone(), instant);
  const from = day(Date.parse(startedAt ?? createdAt));
  return { period: 'custom', from, to: day(Date.now()), campaign: id };
}

function menuEntries(
  { campaign, acts, onEdit, onDuplicate, onDeleted }: CampaignMenuProps,
  openReport: (search: Record<string, string>) => void,
): MenuEntry[] {
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
  if (can('analytics:read') && hasBegun(campaign)) {
    entries.push({
      label: t('campaigns.act.analytics'),
      icon: <ChartColumn aria-hidden />,
      onSelect: () => openReport(reportOf(campaign)),
    });
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
