import type { FeatureNeeds } from './feature-needs.ts';

export const analyticsNeeds: FeatureNeeds = {
  endpoints: {
    'analytics:read': `analytics.getSummary analytics.getVolume analytics.getStatuses analytics.getCampaigns analytics.getTemplates
      analytics.getBestTime analytics.getFailures analytics.getInbox analytics.getAudience analytics.getResults
      analytics.getTemplateHealth analytics.getAutomation analytics.getChoices analytics.getFilters reportViews.list
      reportViews.save reportViews.rename reportViews.setMail reportViews.remove`,
    'analytics:read contacts:read': 'conversions.list',
    'analytics:read campaigns:update': 'reportLinks.list reportLinks.create reportLinks.remove',
    'contacts:read messages:read': 'analytics.getContactBestTime',
    'contacts:update': 'conversions.record',
    'campaigns:read': 'conversions.getSettings conversions.getCampaign',
    'settings:update': 'conversions.updateSettings',
  },
  ownAuthentication: ['GET /reports/', 'GET /reports/:token'],
  keys: {
    endpoints: `conversions.record conversions.list conversions.getSettings conversions.updateSettings conversions.getCampaign
      analytics.getSummary analytics.getVolume analytics.getStatuses analytics.getCampaigns analytics.getTemplates
      analytics.getBestTime analytics.getFailures analytics.getInbox analytics.getAudience analytics.getResults
      analytics.getTemplateHealth analytics.getAutomation analytics.getChoices`,
  },
};
