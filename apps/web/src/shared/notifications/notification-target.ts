import type { NotificationKind } from '@app/domain/notifications/notification-kinds';
import type { Permission } from '@app/domain/auth/permissions';
import { paths } from '../paths.ts';

type Told = { kind: NotificationKind; subject: string | null; values: Record<string, string | number> };

const ofPeople = { to: paths.users, search: { status: 'waiting' } } as const;
const ofSessions = { to: paths.profile, search: { tab: 'sessions' } } as const;
const ofTeams = { to: paths.users, search: { tab: 'teams' } } as const;
const ofConnection = { to: paths.settings, search: { tab: 'api' } } as const;
const ofNumbers = { to: paths.settings, search: { tab: 'api', part: 'numbers' } } as const;
const ofData = { to: paths.settings, search: { tab: 'data' } } as const;
const ofContacts = { to: paths.contacts } as const;

/** Where it can be looked at; nothing where there is no page for it, or none that this person may open. */
export function targetOf({ kind, subject, values }: Told, may: (permission: Permission) => boolean) {
  switch (kind) {
    case 'campaign_completed':
    case 'campaign_paused':
    case 'campaign_failed':
    case 'ab_test_choice':
    case 'ab_test_ended':
      return subject === null ? undefined : { to: paths.campaign(subject) };
    case 'approval_asked':
      return may('users:read') ? ofPeople : undefined;
    case 'team_joined':
      return may('users:read') ? ofTeams : undefined;
    case 'new_browser':
      return ofSessions;
    case 'long_act_done':
    case 'long_act_failed':
      if (values['act'] === 'data_import' || values['act'] === 'data_replacement')
        return may('settings:read') ? ofData : undefined;
      return changesContacts(values) && may('contacts:read') ? ofContacts : undefined;
    case 'daily_summary':
    case 'weekly_report':
      return { to: paths.dashboard };
    case 'backup_failed':
      return ofData;
    case 'connection_problem':
      return subject === null
        ? ofConnection
        : { to: paths.settings, search: { tab: 'api', part: 'api', number: subject } };
    case 'workflow_trouble':
      return { to: paths.automation };
    case 'webhook_paused':
      return { to: paths.automation, search: { tab: 'webhooks' } };
    case 'integration_failed':
    case 'integration_recovered':
      return { to: paths.integrations, search: { dialog: 'configure', kind: values['service'] } };
    case 'number_rated':
      return may('settings:read') ? ofNumbers : { to: paths.campaigns };
    case 'connection_trouble':
    case 'account_judged':
      return may('settings:read') ? ofConnection : { to: paths.campaigns };
    case 'template_rejected':
    case 'template_halted':
      if (!may('templates:read')) return undefined;
      return subject === null
        ? { to: paths.templates }
        : { to: paths.templates, search: { dialog: 'edit', template: subject } };
    case 'new_replies':
      return subject === null ? ofNobody(may) : ofConversation(subject, values, may);
    case 'conversation_unassigned':
      return ofNobody(may);
    case 'message_failed':
    case 'conversation_handed_over':
    case 'conversation_due_missed':
    case 'conversation_due_soon':
    case 'conversation_assigned':
    case 'scheduled_failed':
    case 'conversation_mentioned':
      return ofConversation(subject, values, may);
  }
}

function ofConversation(
  subject: string | null,
  { note }: Told['values'],
  may: Parameters<typeof targetOf>[1],
) {
  if (!may('messages:read') || !may('contacts:read')) return undefined;
  if (subject === null) return { to: paths.inbox, search: { assignee: 'me' } };
  return { to: paths.conversation(subject), ...(note ? { search: { message: String(note) } } : {}) };
}

function ofNobody(may: Parameters<typeof targetOf>[1]) {
  return may('messages:read') && may('contacts:read')
    ? { to: paths.inbox, search: { assignee: 'nobody' } }
    : undefined;
}

function changesContacts({ act }: Told['values']): boolean {
  return ['contact_import', 'contact_removal', 'contact_restore', 'contact_consents'].includes(String(act));
}
