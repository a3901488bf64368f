import type { FeatureNeeds } from './feature-needs.ts';

export const webhookEndpointsNeeds: FeatureNeeds = {
  endpoints: {
    'settings:read':
      'webhookEndpoints.list webhookEndpoints.listEventTypes webhookEndpoints.get webhookDeliveries.list webhookDeliveries.get',
    'settings:manage': `webhookEndpoints.create webhookEndpoints.update webhookEndpoints.setPaused webhookEndpoints.getSecret
      webhookEndpoints.rotateSecret webhookEndpoints.remove webhookDeliveries.sendTest webhookDeliveries.resend
      webhookDeliveries.previewResend webhookDeliveries.resendMany`,
  },
  keys: {
    endpoints: `webhookEndpoints.list webhookEndpoints.listEventTypes webhookEndpoints.get webhookEndpoints.create
      webhookEndpoints.update webhookEndpoints.setPaused webhookEndpoints.getSecret webhookEndpoints.rotateSecret
      webhookEndpoints.remove webhookDeliveries.list webhookDeliveries.get webhookDeliveries.sendTest webhookDeliveries.resend
      webhookDeliveries.previewResend webhookDeliveries.resendMany`,
  },
};
