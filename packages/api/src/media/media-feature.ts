import type { ServerFeature } from '../platform/features/server-feature.ts';
import { mediaApi } from './media-api.ts';
import { mediaFiles } from './media-files.ts';

export const mediaFeature = {
  name: 'media',
  router: { media: mediaApi },
  files: () => mediaFiles,
} satisfies ServerFeature;
