import type { ServerFeature } from '../platform/features/server-feature.ts';
import { draftsApi } from './drafts-api.ts';
import { draftsPersonData } from './drafts-person-data.ts';
import { deleteDrafts } from './delete-drafts.ts';

export const draftsFeature = {
  name: 'drafts',
  router: { drafts: draftsApi },
  personData: draftsPersonData,
  upkeep: { seldom: [deleteDrafts] },
} satisfies ServerFeature;
