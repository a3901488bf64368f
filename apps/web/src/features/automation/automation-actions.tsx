import { Workflow } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const automationActions: readonly FeatureAction[] = [
  {
    label: 'palette.newWorkflow',
    icon: <Workflow />,
    path: paths.automation,
    search: { form: 'new' },
    access: ['campaigns:create'],
  },
];
