import type { FeatureNeeds } from './feature-needs.ts';

export const campaignsNeeds: FeatureNeeds = {
  endpoints: {
    'campaigns:read contacts:read contacts:export': 'campaigns.exportResults',
    'campaigns:read': `campaigns.list campaigns.summarize campaigns.get campaigns.preflight campaigns.preflightRetry campaigns.preflightRest
      campaigns.countReasons campaigns.listContents campaigns.countReachable campaigns.planTest campaigns.getTest`,
    'campaigns:read contacts:read':
      'campaigns.countAudience campaigns.findInAudience campaigns.listRecipients bulkMessage.preview',
    'campaigns:create': 'campaigns.create',
    'campaigns:update': 'campaigns.update campaigns.pause campaigns.cancel',
    'campaigns:delete': 'campaigns.remove',
    // What sends asks for messages as well.
    'campaigns:create messages:create': 'bulkMessage.send campaigns.sendTest campaigns.retryFailed',
    'campaigns:update messages:create':
      'campaigns.start campaigns.resume campaigns.chooseVariant campaigns.resolveUnknown',
    'messages:create': 'campaigns.takeBack',
  },
  addresses: {
    'campaigns:read contacts:read contacts:export': ['GET /api/campaigns/:campaignId/recipients/export'],
  },
  ownAuthentication: ['GET /l/:code'],
  keys: {
    endpoints: `campaigns.list campaigns.summarize campaigns.get campaigns.create campaigns.update campaigns.remove campaigns.preflight
      campaigns.planTest campaigns.getTest campaigns.chooseVariant campaigns.listContents campaigns.countReachable
      campaigns.countAudience campaigns.start campaigns.takeBack campaigns.pause campaigns.resume campaigns.cancel
      campaigns.preflightRetry campaigns.preflightRest campaigns.countReasons campaigns.retryFailed campaigns.sendTest
      campaigns.listRecipients bulkMessage.preview bulkMessage.send`,
    addresses: ['GET /api/campaigns/:campaignId/recipients/export'],
  },
};
