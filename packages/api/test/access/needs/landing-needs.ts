import type { FeatureNeeds } from './feature-needs.ts';

export const landingNeeds: FeatureNeeds = {
  endpoints: {
    nobody: 'landing.sendEnquiry',
  },
};
