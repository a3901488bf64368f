import { FileText } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const templatesActions: readonly FeatureAction[] = [
  {
    label: 'palette.newTemplate',
    icon: <FileText />,
    path: paths.templates,
    search: { dialog: 'new' },
    access: ['templates:create'],
  },
];
