import type { ChannelProfile } from '@app/domain/channels/open-channel';
import type { BusinessCategory } from '@app/domain/settings/general-settings';
import type { AccountCalls } from './account-calls.ts';
import { askPlatform } from './ask-platform.ts';

/** The platform's own word for each of our categories. */
const verticals: Record<BusinessCategory, string> = {
  retail: 'RETAIL',
  ecommerce: 'RETAIL',
  services: 'PROF_SERVICES',
  healthcare: 'HEALTH',
  education: 'EDU',
  technology: 'OTHER',
  other: 'OTHER',
};
/** And the other way round; what the platform tells apart and we do not is another business. */
const categories: Readonly<Record<string, BusinessCategory>> = {
  RETAIL: 'retail',
  APPAREL: 'retail',
  GROCERY: 'retail',
  PROF_SERVICES: 'services',
  FINANCE: 'services',
  HEALTH: 'healthcare',
  OTC_DRUGS: 'healthcare',
  EDU: 'education',
};

/** The business profile of a number. */
export function openProfile(
  client: Pick<AccountCalls, 'getBusinessProfile' | 'updateBusinessProfile'>,
): ChannelProfile {
  return {
    read: () =>
      askPlatform(async () => {
        const { about, address, description, email, websites, vertical } = await client.getBusinessProfile();
        const category = categories[vertical] ?? 'other';
        return { about, address, description, email, websites: [...websites], category };
      }),
    write: ({ category, about, ...profile }) =>
      askPlatform(async () => {
        await client.updateBusinessProfile({
          ...profile,
          // The one field that cannot be empty there: what stands stays.
          ...(about !== '' && { about }),
          vertical: verticals[category],
        });
        return null;
      }),
  };
}
