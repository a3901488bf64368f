import type { ServerFeature } from '../platform/features/server-feature.ts';
import { mediaApi } from './media-api.ts';
import { mediaFiles } from './media-files.ts';

export const mediaFeature = {
  name: 'media',
  tables: {
    media: 'files of staff',
    media_copies: 'under what platforms have files of staff',
    media_uploads: 'files of staff that are on their way',
  },
  router: { media: mediaApi },
  files: () => mediaFiles,
} satisfies ServerFeature;
