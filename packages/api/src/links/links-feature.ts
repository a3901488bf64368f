import type { ServerFeature } from '../platform/features/server-feature.ts';
import { linksPersonData } from './links-person-data.ts';

export const linksFeature = { name: 'links', personData: linksPersonData } satisfies ServerFeature;
