import type { ServerFeature } from '../platform/features/server-feature.ts';
import { enquiryMail } from './enquiry-mail.ts';
import { landingApi } from './landing-api.ts';

export const landingFeature = {
  name: 'landing',
  tables: {
    sales_enquiries: 'people who ask about the product, who are contacts of nobody',
  },
  router: { landing: landingApi },
  jobs: [enquiryMail],
} satisfies ServerFeature;
