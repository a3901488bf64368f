import { Send } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const bulkMessageActions: readonly FeatureAction[] = [
  {
    label: 'palette.bulkMessage',
    icon: <Send />,
    path: paths.bulkMessage,
    access: ['messages:create', 'campaigns:create'],
  },
];
