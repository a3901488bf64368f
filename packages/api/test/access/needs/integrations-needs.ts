import type { FeatureNeeds } from './feature-needs.ts';

export const integrationsNeeds: FeatureNeeds = {
  endpoints: {
    'contacts:read': 'integrations.listItemsOfContact',
    'settings:read': `integrations.list integrations.get integrations.listFields integrations.listRuns integrationEvents.get
      integrationEvents.listTargets integrationEvents.listDeliveries`,
    'settings:read contacts:read':
      'integrations.listErrors integrations.listHeld integrationEvents.listSamples',
    'settings:manage': `integrations.connect integrations.beginConsent integrations.finishConsent integrations.update integrations.beginPreview
      integrations.sync integrations.cancel integrations.check integrations.disconnect integrations.retry
      integrationEvents.update integrationEvents.retry integrationEvents.sendTest integrationEvents.subscribe
      integrationEvents.unsubscribe`,
  },
  keys: {
    endpoints: `integrations.list integrations.get integrations.listRuns integrations.listErrors integrations.listHeld integrations.sync
      integrationEvents.listDeliveries integrationEvents.subscribe integrationEvents.unsubscribe integrationEvents.listSamples`,
  },
};
