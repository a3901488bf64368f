import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { eq } from 'drizzle-orm';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { limitsThrough, NO_LIMITS, type DailyLimits } from '@app/domain/channels/channel-limits';
import { readMessagingSettings } from '@app/domain/settings/messaging-settings';
import { DEFAULT_BUSINESS_NAME, readGeneralSettings } from '@app/domain/settings/general-settings';
import { DEFAULT_PRICE, pricesOfBudget } from '@app/domain/settings/budget';
import type { PriceOf } from '@app/delivery/pace/budget';
import type { PriceList } from '@app/domain/settings/price-list';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Sender = {
  channel: Channel | null;
  /** Somebody chose this number: another takes no place of it. */
  isChosen: boolean;
  /** The templates of the workspace stand in the account of this number. */
  hasTemplates: boolean;
  /** What its kind can do; null without a channel. */
  rules: ChannelCapabilities | null;
  businessName: string;
  /** US dollars for one message. */
  pricePerMessage: number;
  /** What stands in its place, in the currency of the workspace. */
  priceList: PriceList | null;
  currency: string;
  daily: DailyLimits;
  /** Through this number; null without a limit for each minute. */
  messagesPerMinute: number | null;
  /** Null without a budget. */
  priceOf: PriceOf | null;
};

/** The number that was chosen, or the one through which the workspace sends, and what Settings say about it. */
export async function findSender(
  { tx, workspaceId }: ReadScope,
  kinds: ChannelKinds,
  channelId: string | null = null,
): Promise<Sender> {
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const all = await listChannels(tx, workspaceId);
  const usual = senderOf(all);
  const channel = channelId === null ? usual : (all.find(({ id }) => id === channelId) ?? null);
  const { perMinute, ...daily } = channel
    ? limitsThrough(readMessagingSettings({ ...workspace?.settings }), all, channel)
    : NO_LIMITS;
  const { priceList, currency } = readGeneralSettings({ ...workspace?.settings });
  return {
    ...{ channel, isChosen: channelId !== null, hasTemplates: isOfSameAccount(kinds, channel, usual) },
    ...{ priceList, currency },
    rules: channel && kinds.of(channel).capabilities,
    businessName: workspace?.settings.businessName || DEFAULT_BUSINESS_NAME,
    pricePerMessage: workspace?.settings.pricePerMessage ?? DEFAULT_PRICE,
    ...{ daily, messagesPerMinute: perMinute },
    priceOf: pricesOfBudget({ ...workspace?.settings }),
  };
}

/** Null stands for no choice. */
export async function isOwnNumber(
  { tx, workspaceId }: ReadScope,
  channelId: string | null,
): Promise<boolean> {
  return channelId === null || (await listChannels(tx, workspaceId)).some(({ id }) => id === channelId);
}

/** The kind of a number of this workspace; null for none. */
export async function findKind({ tx, workspaceId }: ReadScope, channelId: string): Promise<string | null> {
  return (await listChannels(tx, workspaceId)).find(({ id }) => id === channelId)?.kind ?? null;
}

/** Templates are handed to the account of the number through which the workspace sends; others of the account share them. */
function isOfSameAccount(kinds: ChannelKinds, one: Channel | null, other: Channel | null): boolean {
  if (!one || !other || one.id === other.id || one.kind !== other.kind) return true;
  const field = kinds.of(one).connector?.accountField;
  return field === undefined || one.credentials.values[field] === other.credentials.values[field];
}
