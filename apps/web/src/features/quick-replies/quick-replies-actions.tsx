import { Zap } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const quickRepliesActions: readonly FeatureAction[] = [
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
];
