import type { FeatureNeeds } from './feature-needs.ts';

export const mediaNeeds: FeatureNeeds = {
  endpoints: {
    'messages:create': 'media.startUpload media.getUpload media.cancelUpload',
    'templates:read': 'media.list media.get',
    'templates:delete': 'media.remove',
  },
  addresses: {
    'messages:create': ['PATCH /api/uploads/:uploadId'],
    'templates:read': ['GET /api/media/:mediaId/content'],
  },
  ownAuthentication: ['GET /media/:token/:name?'],
  keys: {
    endpoints: 'media.startUpload media.getUpload media.cancelUpload media.list media.get',
    addresses: ['PATCH /api/uploads/:uploadId', 'GET /api/media/:mediaId/content'],
  },
};
