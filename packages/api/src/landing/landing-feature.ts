import type { ServerFeature } from '../platform/features/server-feature.ts';
import { enquiryMail } from './enquiry-mail.ts';
import { landingApi } from './landing-api.ts';

export const landingFeature = {
  name: 'landing',
  router: { landing: landingApi },
  jobs: [enquiryMail],
} satisfies ServerFeature;
