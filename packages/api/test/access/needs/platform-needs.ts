import type { FeatureNeeds } from './feature-needs.ts';

export const platformNeeds: FeatureNeeds = {
  addresses: {
    nobody: [
      'GET /api/openapi.json',
      'GET /api/docs',
      'GET /api/docs/style.css',
      'GET /healthz',
      'GET /readyz',
    ],
    'signed in': ['GET /api/events'],
  },
  // `ALL /*` stands before all of them.
  ownAuthentication: ['ALL /api/rpc/*', 'ALL /api/*', 'ALL /*'],
  setUp: ['GET /api/events'],
  keys: { addresses: ['GET /api/events'] },
};
