import {
  BarChart3,
  Bot,
  ContactRound,
  FileText,
  Home,
  Inbox,
  MessageSquareMore,
  Megaphone,
  Plug,
  Send,
  Settings,
  UserRound,
  Users,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import type { MessageKey } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';

export interface NavigationItem {
  path: string;
  label: MessageKey;
  icon: ReactNode;
  /** Needed to open the page; without it the entry does not appear. */
  access: readonly Permission[];
  count?: 'inbox' | 'campaigns';
  /** A little space stands above it in the sidebar. */
  startsGroup?: boolean;
}

/** The dashboard's pages in the order of the sidebar. */
export const navigation: readonly NavigationItem[] = [
  { path: paths.dashboard, label: 'common.nav.dashboard', icon: <Home />, access: [] },
  {
    path: paths.inbox,
    startsGroup: true,
    label: 'common.nav.inbox',
    icon: <Inbox />,
    access: ['messages:read'],
    count: 'inbox',
  },
  { path: paths.chatbot, label: 'common.nav.chatbot', icon: <Bot />, access: ['messages:read'] },
  {
    startsGroup: true,
    path: paths.contacts,
    label: 'common.nav.contacts',
    icon: <ContactRound />,
    access: ['contacts:read'],
  },
  { path: paths.templates, label: 'common.nav.templates', icon: <FileText />, access: ['templates:read'] },
  {
    path: paths.campaigns,
    label: 'common.nav.campaigns',
    icon: <Megaphone />,
    access: ['campaigns:read'],
    count: 'campaigns',
  },
  {
    path: paths.bulkMessage,
    label: 'common.nav.bulkMessage',
    icon: <Send />,
    access: ['messages:create', 'campaigns:create'],
  },
  { path: paths.rcs, label: 'common.nav.rcs', icon: <MessageSquareMore />, access: ['campaigns:read'] },
  {
    startsGroup: true,
    path: paths.automation,
    label: 'common.nav.automation',
    icon: <Workflow />,
    access: ['campaigns:read'],
  },
  { path: paths.integrations, label: 'common.nav.integrations', icon: <Plug />, access: ['settings:read'] },
  { path: paths.analytics, label: 'common.nav.analytics', icon: <BarChart3 />, access: ['analytics:read'] },
  {
    startsGroup: true,
    path: paths.users,
    label: 'common.nav.users',
    icon: <Users />,
    access: ['users:read'],
  },
  { path: paths.settings, label: 'common.nav.settings', icon: <Settings />, access: ['settings:read'] },
  { path: paths.profile, label: 'common.nav.profile', icon: <UserRound />, access: [] },
];
