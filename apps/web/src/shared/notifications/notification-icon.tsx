import type { NotificationKind } from '@app/domain/notifications/notification-kinds';
import {
  AlarmClock,
  AtSign,
  Bot,
  CircleCheckBig,
  CircleX,
  DatabaseBackup,
  FileCheck2,
  FileX2,
  Gauge,
  Inbox,
  MessageSquareText,
  MessageSquareX,
  MonitorSmartphone,
  NotebookText,
  PauseCircle,
  ShieldAlert,
  Unplug,
  Webhook,
  UserPlus,
  UserRoundCheck,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';

const tones = {
  good: 'bg-success-soft text-success',
  plain: 'bg-neutral-soft text-muted',
  asks: 'bg-info-soft text-info',
  warns: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
} as const;

const looks: Record<NotificationKind, readonly [LucideIcon, keyof typeof tones]> = {
  approval_asked: [UserPlus, 'asks'],
  backup_failed: [DatabaseBackup, 'bad'],
  campaign_completed: [CircleCheckBig, 'good'],
  campaign_failed: [CircleX, 'bad'],
  campaign_paused: [PauseCircle, 'warns'],
  ab_test_choice: [PauseCircle, 'warns'],
  ab_test_ended: [CircleCheckBig, 'good'],
  connection_trouble: [Unplug, 'bad'],
  connection_problem: [Unplug, 'bad'],
  workflow_trouble: [PauseCircle, 'bad'],
  webhook_paused: [Webhook, 'bad'],
  integration_failed: [Unplug, 'bad'],
  integration_recovered: [CircleCheckBig, 'good'],
  number_rated: [Gauge, 'warns'],
  account_judged: [ShieldAlert, 'bad'],
  conversation_assigned: [UserRoundCheck, 'asks'],
  conversation_due_missed: [AlarmClock, 'bad'],
  conversation_due_soon: [AlarmClock, 'warns'],
  conversation_handed_over: [Bot, 'asks'],
  conversation_mentioned: [AtSign, 'asks'],
  conversation_unassigned: [Inbox, 'warns'],
  daily_summary: [NotebookText, 'plain'],
  long_act_done: [FileCheck2, 'good'],
  long_act_failed: [FileX2, 'bad'],
  message_failed: [MessageSquareX, 'bad'],
  new_browser: [MonitorSmartphone, 'warns'],
  new_replies: [MessageSquareText, 'asks'],
  scheduled_failed: [MessageSquareX, 'bad'],
  team_joined: [Users, 'plain'],
  template_rejected: [FileX2, 'warns'],
  template_halted: [FileX2, 'warns'],
  weekly_report: [NotebookText, 'plain'],
};

/** What kind of news it is, at a glance; the sentence beside it says it in words. */
export function NotificationIcon({ kind, isRead }: { kind: NotificationKind; isRead: boolean }) {
  const [Icon, tone] = looks[kind];
  return (
    <span
      aria-hidden
      className={classNames(
        'flex size-8 shrink-0 items-center justify-center rounded-full [&_svg]:size-4',
        isRead ? tones.plain : tones[tone],
      )}
    >
      <Icon />
    </span>
  );
}
