import { Bot, FileText, MessageSquareText, Plug, Send, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import { recordClick } from '../../../shared/activity/record-click.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t, type MessageKey } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { Panel } from '../../../ui/page-frame.tsx';

type QuickAction = {
  label: MessageKey;
  icon: ReactNode;
  to: string;
  /** Opens the form that the action names. */
  search: Record<string, string>;
  needs: readonly Permission[];
};

const ACTIONS: readonly QuickAction[] = [
  {
    label: 'dashboard.sendQuickMessage',
    icon: <Send aria-hidden />,
    to: paths.bulkMessage,
    search: {},
    needs: ['messages:create', 'campaigns:create'],
  },
  {
    label: 'dashboard.addNewContact',
    icon: <UserPlus aria-hidden />,
    to: paths.contacts,
    search: { dialog: 'new' },
    needs: ['contacts:create'],
  },
  {
    label: 'dashboard.createTemplate',
    icon: <FileText aria-hidden />,
    to: paths.templates,
    search: { dialog: 'new' },
    needs: ['templates:create'],
  },
  {
    label: 'dashboard.createAutomation',
    icon: <Bot aria-hidden />,
    to: paths.automation,
    search: { form: 'new' },
    needs: ['campaigns:create'],
  },
  {
    label: 'dashboard.setupIntegration',
    icon: <Plug aria-hidden />,
    to: paths.integrations,
    search: { dialog: 'add' },
    needs: ['settings:manage'],
  },
  {
    label: 'dashboard.createRcsMessage',
    icon: <MessageSquareText aria-hidden />,
    to: paths.rcs,
    search: { dialog: 'new' },
    needs: ['campaigns:create'],
  },
];

/** Short ways to the forms of other pages; what a role may not do is not offered. */
export function QuickActions() {
  const offered = ACTIONS.filter(({ needs }) => needs.every(can));
  if (offered.length === 0) return null;
  return (
    <Panel title={t('dashboard.quickActions')}>
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {offered.map(({ label, icon, to, search }) => (
          <ButtonLink
            key={label}
            to={to}
            search={search}
            onClick={() => recordClick(t(label))}
            icon={icon}
            className="justify-start"
          >
            {t(label)}
          </ButtonLink>
        ))}
      </div>
    </Panel>
  );
}
