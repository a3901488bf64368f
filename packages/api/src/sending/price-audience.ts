import { countByDigits } from '@app/delivery/audience-preview';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { averagePrice, DEFAULT_CURRENCY } from '@app/domain/settings/price-list';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { Sender } from './find-sender.ts';

export type Price = { pricePerMessage: number; priceCurrency: string };

/** What one message costs on average, if it goes to all of an audience who may get it: by the price list, else flat. */
export async function priceAudience(
  scope: ReadScope,
  { priceList, currency, pricePerMessage }: Pick<Sender, 'priceList' | 'currency' | 'pricePerMessage'>,
  { audience, category }: { audience: Audience; category: MessageCategory },
): Promise<Price> {
  if (priceList === null) return { pricePerMessage, priceCurrency: DEFAULT_CURRENCY };
  // An answer within a window is free.
  if (category === 'service') return { pricePerMessage: 0, priceCurrency: currency };
  const people = await countByDigits(scope, { workspaceId: scope.workspaceId, audience, category });
  return { pricePerMessage: averagePrice(priceList, people, category), priceCurrency: currency };
}
