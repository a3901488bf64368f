import { Megaphone } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const campaignsActions: readonly FeatureAction[] = [
  {
    label: 'palette.newCampaign',
    icon: <Megaphone />,
    path: paths.campaigns,
    search: { form: 'new' },
    access: ['campaigns:create'],
  },
];
