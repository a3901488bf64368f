import type { FeatureNeeds } from './feature-needs.ts';

export const channelsNeeds: FeatureNeeds = {
  endpoints: {
    'signed in': 'channels.list',
    'settings:read': `connections.list connections.getSubscription webhookCalls.list numbers.list channelAgents.get
      channelAgents.listTestDevices`,
    'settings:update': 'channels.resume',
    'settings:manage': `connections.prove connections.create connections.update connections.disconnect connections.subscribe numbers.add
      numbers.requestCode numbers.verifyCode numbers.register numbers.setDefault numbers.setRate
      channelAgents.inviteTestDevice channelAgents.removeTestDevice`,
  },
  ownAuthentication: ['GET /webhooks/:kind/:slug', 'POST /webhooks/:kind/:slug'],
  keys: { endpoints: 'channels.list' },
};
