import type { NotificationKind } from './notification-kinds.ts';

/** The page that a notification opens from outside of the app, where nobody asks what the person may see: the page itself does. */
export function pathOfNotification(kind: NotificationKind, subject: string | null): string {
  switch (kind) {
    case 'campaign_completed':
    case 'campaign_paused':
    case 'campaign_failed':
    case 'ab_test_choice':
    case 'ab_test_ended':
      return subject === null ? '/dashboard/campaigns' : `/dashboard/campaigns/${subject}`;
    case 'conversation_assigned':
    case 'conversation_handed_over':
    case 'conversation_due_missed':
    case 'conversation_due_soon':
    case 'conversation_mentioned':
    case 'message_failed':
    case 'new_replies':
    case 'scheduled_failed':
      return subject === null ? '/dashboard/inbox' : `/dashboard/inbox/${subject}`;
    case 'conversation_unassigned':
      return '/dashboard/inbox?assignee=nobody';
    case 'approval_asked':
      return '/dashboard/users?status=waiting';
    case 'team_joined':
      return '/dashboard/users?tab=teams';
    case 'backup_failed':
      return '/dashboard/settings?tab=data';
    case 'connection_trouble':
    case 'account_judged':
      return '/dashboard/settings?tab=api';
    case 'connection_problem':
      return subject === null
        ? '/dashboard/settings?tab=api'
        : `/dashboard/settings?tab=api&part=api&number=${subject}`;
    case 'workflow_trouble':
      return '/dashboard/automation';
    case 'webhook_paused':
      return '/dashboard/automation?tab=webhooks';
    case 'integration_failed':
    case 'integration_recovered':
      return '/dashboard/integrations';
    case 'number_rated':
      return '/dashboard/settings?tab=api&part=numbers';
    case 'template_rejected':
    case 'template_halted':
      return subject === null
        ? '/dashboard/templates'
        : `/dashboard/templates?dialog=edit&template=${subject}`;
    case 'new_browser':
      return '/dashboard/profile?tab=sessions';
    case 'daily_summary':
    case 'weekly_report':
    case 'long_act_done':
    case 'long_act_failed':
      return '/dashboard';
  }
}
