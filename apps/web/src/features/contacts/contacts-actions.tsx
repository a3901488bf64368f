import { UserPlus } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const contactsActions: readonly FeatureAction[] = [
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
];
