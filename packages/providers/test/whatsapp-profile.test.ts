import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { describe, expect, it } from 'vitest';
import { openProfile } from '../src/whatsapp-cloud/whatsapp-profile.ts';

const ours: BusinessProfile = {
  ...{ category: 'other', about: 'We cook', address: '', description: '' },
  ...{ email: '', websites: [], logo: null },
};
type Client = Parameters<typeof openProfile>[0];

async function write(shown: { vertical?: string; about?: string }, profile = ours, isNewCategory = true) {
  const sent: object[] = [];
  const client: Client = {
    getBusinessProfile: async () => ({
      ...{ about: '', address: '', description: '', email: '', websites: [] },
      ...{ vertical: '', profilePictureUrl: null, ...shown },
    }),
    updateBusinessProfile: async (changes) => void sent.push(changes),
    uploadResumable: async () => 'a handle',
    downloadPicture: async () => {
      throw new Error('nobody asks for it');
    },
  };
  const answer = await openProfile(client).write(profile, { picture: null, isNewCategory });
  return { answer, sent: sent[0] as Record<string, unknown> };
}

describe('the category of a business profile', () => {
  it.each([
    // What the platform tells apart and we do not stays as it stands there.
    ['RESTAURANT', 'other', undefined],
    ['APPAREL', 'retail', undefined],
    ['RETAIL', 'ecommerce', 'RETAIL'],
    ['RESTAURANT', 'retail', 'RETAIL'],
    ['RETAIL', 'other', 'OTHER'],
    ['', 'healthcare', 'HEALTH'],
  ] as const)('%s stands there and %s here: %s is written', async (vertical, category, written) => {
    const { sent } = await write({ vertical }, { ...ours, category });
    expect(sent['vertical']).toBe(written);
  });

  it('stays when ours is none of somebody’s choice', async () => {
    const { sent } = await write({ vertical: 'RETAIL' }, ours, false);
    expect(sent).not.toHaveProperty('vertical');
  });
});

describe('an empty text about the business', () => {
  it.each([
    ['We bake', '', true],
    ['', '', false],
    ['We bake', 'We cook', false],
  ])('with %j there and %j here: the old one stays: %s', async (there, here, keptAbout) => {
    const { answer, sent } = await write({ about: there }, { ...ours, about: here });
    expect(answer).toEqual({ outcome: 'done', value: { keptAbout } });
    expect(sent['about']).toBe(here === '' ? undefined : here);
  });
});
