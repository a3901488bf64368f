import type { FlowStatus } from '@app/domain/automation/workflow-status';
import { Link } from '@tanstack/react-router';
import { Copy, EllipsisVertical, ListChecks, Pencil, Trash2, TriangleAlert, Zap } from 'lucide-react';
import { formatDate, formatDateTime, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { Card } from '../../ui/page-frame.tsx';
import { mayChangeFlow } from './flow-rights.ts';
import { reasonText, stepName, triggerName } from './flow-words.ts';
import type { WorkflowActions } from './use-workflow-actions.ts';
import type { Workflow } from './workflows-queries.ts';

const tones: Record<FlowStatus, BadgeTone> = { draft: 'neutral', active: 'success', paused: 'warning' };

export function WorkflowStatusBadge({ status }: { status: FlowStatus }) {
  return (
    <Badge tone={tones[status]} dot={status === 'active'}>
      {t(`automation.status.${status}`)}
    </Badge>
  );
}

export function WorkflowCard(props: { workflow: Workflow; actions: WorkflowActions; onEdit: () => void }) {
  const { workflow } = props;
  const { id, name, description, status, triggers, steps, createdAt, lastTriggered, pausedFor } = workflow;
  return (
    <Card
      title={
        <Link to={paths.workflow(id)} className="rounded hover:underline">
          {name}
        </Link>
      }
      badges={
        <>
          <WorkflowStatusBadge status={status} />
          {workflow.hasChanges && status !== 'draft' ? <Badge>{t('automation.hasChanges')}</Badge> : null}
        </>
      }
      menu={<WorkflowMenu {...props} />}
      footer={
        <>
          <span className="min-w-0 flex-1">
            {t('automation.created', { date: formatDate(createdAt) })}
            <br />
            {lastTriggered === null
              ? t('automation.neverTriggered')
              : t('automation.lastTriggered', { time: formatDateTime(lastTriggered) })}
          </span>
          <WorkflowSwitch {...props} />
        </>
      }
    >
      {description === '' ? null : <p className="mb-2 line-clamp-2 text-sm text-muted">{description}</p>}
      <p className="flex items-start gap-2 text-sm text-muted">
        <Zap aria-hidden className="mt-0.5 size-4 shrink-0" />
        {triggers.length === 0
          ? t('automation.noTrigger')
          : t('automation.triggerIs', { names: triggers.map(triggerName).join(', ') })}
      </p>
      {steps.length === 0 ? null : (
        <p className="mt-1 flex items-start gap-2 text-sm text-muted">
          <ListChecks aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="line-clamp-2">
            {t('automation.actionsAre', { names: steps.map(stepName).join(', ') })}
          </span>
        </p>
      )}
      {pausedFor ? (
        <p className="mt-3 flex items-start gap-2 text-sm text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {reasonText(pausedFor.code)}
        </p>
      ) : null}
      <WorkflowStats workflow={workflow} />
    </Card>
  );
}

const shownStats = ['triggered', 'completed', 'failed'] as const;

export function WorkflowStats({ workflow: { stats } }: { workflow: Workflow }) {
  return (
    <dl className="mt-4 grid max-w-md grid-cols-3 gap-2 text-sm">
      {shownStats.map((name) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-muted">{t(`automation.stats.${name}`)}</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatNumber(stats[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Starts runs, or starts none; one that was never published is published in its editor. */
export function WorkflowSwitch({ workflow, actions }: { workflow: Workflow; actions: WorkflowActions }) {
  if (workflow.publishedVersion === null || !can('campaigns:update')) return null;
  return (
    <Switch
      label={t('automation.switch', { name: workflow.name })}
      hideLabel
      checked={workflow.status === 'active'}
      disabled={actions.isSwitching(workflow.id)}
      onChange={() => void actions.toggle(workflow)}
    />
  );
}

export function WorkflowMenu({
  workflow,
  actions,
  onEdit,
  onDeleted,
  size = 'small',
}: {
  workflow: Workflow;
  actions: WorkflowActions;
  onEdit?: (() => void) | undefined;
  onDeleted?: (() => void) | undefined;
  size?: 'small' | 'medium';
}) {
  const entries: MenuEntry[] = [];
  if (onEdit && mayChangeFlow('update', workflow))
    entries.push({ label: t('automation.edit'), icon: <Pencil />, onSelect: onEdit });
  if (can('campaigns:create'))
    entries.push({
      label: t('automation.duplicate'),
      icon: <Copy />,
      onSelect: () => actions.duplicate(workflow),
    });
  if (mayChangeFlow('delete', workflow)) {
    if (entries.length > 0) entries.push('separator');
    entries.push({
      label: t('automation.delete'),
      icon: <Trash2 />,
      danger: true,
      onSelect: () => void actions.remove(workflow).then((isDeleted) => isDeleted && onDeleted?.()),
    });
  }
  if (entries.length === 0) return null;
  return (
    <Menu
      entries={entries}
      trigger={
        <IconButton
          label={t('automation.menu', { name: workflow.name })}
          size={size}
          variant={size === 'medium' ? 'secondary' : 'ghost'}
        >
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    />
  );
}
