import type { ChannelProfile } from '@app/domain/channels/open-channel';
import type { BusinessCategory } from '@app/domain/settings/general-settings';
import type { AccountCalls } from './account-calls.ts';
import { askForFile, askPlatform } from './ask-platform.ts';
import type { MediaCalls } from './media-calls.ts';

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

function categoryOf(vertical: string): BusinessCategory {
  return categories[vertical] ?? 'other';
}

/** The business profile of a number. */
export function openProfile(
  client: Pick<AccountCalls, 'getBusinessProfile' | 'updateBusinessProfile'> &
    Pick<MediaCalls, 'uploadResumable' | 'downloadPicture'>,
): ChannelProfile {
  return {
    read: () =>
      askPlatform(async () => {
        const { vertical, websites, profilePictureUrl, ...words } = await client.getBusinessProfile();
        return {
          ...words,
          websites: [...websites],
          category: categoryOf(vertical),
          pictureAddress: profilePictureUrl,
        };
      }),
    readPicture: (address, maxBytes) => askForFile(() => client.downloadPicture(address, maxBytes)),
    write: ({ category, about, address, description, email, websites }, { picture, isNewCategory }) =>
      askPlatform(async () => {
        const shown = await client.getBusinessProfile();
        // Its words are finer than ours: a restaurant is not made another business because we know no restaurants.
        const isOther = isNewCategory && categoryOf(shown.vertical) !== category;
        const profilePictureHandle = picture ? await client.uploadResumable(picture) : undefined;
        await client.updateBusinessProfile({
          ...{ address, description, email, websites },
          ...(profilePictureHandle !== undefined && { profilePictureHandle }),
          // The one field that cannot be empty there: what stands stays.
          ...(about !== '' && { about }),
          ...(isOther && { vertical: verticals[category] }),
        });
        return { keptAbout: about === '' && shown.about !== '' };
      }),
  };
}
