import type { FeatureNeeds } from './feature-needs.ts';

export const templatesNeeds: FeatureNeeds = {
  endpoints: {
    'templates:read': 'templates.list templates.summarize templates.get',
    'templates:create': 'templates.create',
    'templates:update': 'templates.update templates.submit templates.sync',
    'templates:read settings:read': 'templates.listAccount templates.getSync',
    'templates:create settings:read': 'templates.importFromAccount',
    'templates:delete': 'templates.remove',
  },
  keys: {
    endpoints:
      'templates.list templates.summarize templates.get templates.create templates.update templates.remove templates.submit',
  },
};
