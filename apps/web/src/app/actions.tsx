import { FileText, Megaphone, Send, UserPlus, Workflow, Zap } from 'lucide-react';
import type { FeatureAction } from '../shared/feature.ts';
import { paths } from '../shared/paths.ts';

/** What the palette offers to do, in its order. The list loads with the palette or the first key: the first view does not wait for it. */
export const actions: readonly FeatureAction[] = [
  {
    label: 'palette.quickReplies',
    icon: <Zap />,
    path: paths.quickReplies,
    access: ['messages:read'],
  },
  {
    label: 'palette.newQuickReply',
    icon: <Zap />,
    path: paths.quickReplies,
    search: { dialog: 'new' },
    access: ['messages:create'],
  },
  {
    label: 'palette.newContact',
    icon: <UserPlus />,
    path: paths.contacts,
    search: { dialog: 'new' },
    access: ['contacts:create'],
  },
  {
    label: 'palette.importContacts',
    icon: <UserPlus />,
    path: paths.contacts,
    search: { dialog: 'import' },
    access: ['contacts:create'],
  },
  {
    label: 'palette.newTemplate',
    icon: <FileText />,
    path: paths.templates,
    search: { dialog: 'new' },
    access: ['templates:create'],
  },
  {
    label: 'palette.newCampaign',
    icon: <Megaphone />,
    path: paths.campaigns,
    search: { form: 'new' },
    access: ['campaigns:create'],
  },
  {
    label: 'palette.bulkMessage',
    icon: <Send />,
    path: paths.bulkMessage,
    access: ['messages:create', 'campaigns:create'],
  },
  {
    label: 'palette.newWorkflow',
    icon: <Workflow />,
    path: paths.automation,
    search: { form: 'new' },
    access: ['campaigns:create'],
  },
  {
    label: 'palette.newUser',
    icon: <UserPlus />,
    path: paths.users,
    search: { dialog: 'new' },
    access: ['users:create'],
  },
  {
    label: 'palette.newTeam',
    icon: <UserPlus />,
    path: paths.users,
    search: { tab: 'teams', teamDialog: 'new' },
    access: ['users:update'],
  },
];
