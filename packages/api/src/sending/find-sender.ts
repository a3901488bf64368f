import { findSendingChannel } from '@app/database/channels/find-channel';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { eq } from 'drizzle-orm';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { DEFAULT_BUSINESS_NAME, readGeneralSettings } from '@app/domain/settings/general-settings';
import type { PriceList } from '@app/domain/settings/price-list';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** The default of the specification: 0.05 US dollars for each recipient, unless Settings say otherwise. */
const DEFAULT_PRICE = 0.05;

export type Sender = {
  channel: {
    id: string;
    isConnected: boolean;
    stoppedReason: string | null;
    messagesPerSecond: number;
  } | null;
  /** What its kind can do; null without a channel. */
  rules: ChannelCapabilities | null;
  businessName: string;
  /** US dollars for one message. */
  pricePerMessage: number;
  /** What stands in its place, in the currency of the workspace. */
  priceList: PriceList | null;
  currency: string;
  /** Null without a daily limit. */
  messagesPerDay: number | null;
};

/** The channel through which the workspace sends, and what Settings say about it. */
export async function findSender({ tx, workspaceId }: ReadScope, kinds: ChannelKinds): Promise<Sender> {
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const channel = await findSendingChannel(tx, workspaceId);
  const limits = workspace?.settings.messageLimits;
  const { priceList, currency } = readGeneralSettings({ ...workspace?.settings });
  return {
    channel,
    ...{ priceList, currency },
    rules: channel && kinds.of(channel).capabilities,
    businessName: workspace?.settings.businessName || DEFAULT_BUSINESS_NAME,
    pricePerMessage: workspace?.settings.pricePerMessage ?? DEFAULT_PRICE,
    messagesPerDay: limits?.isEnabled ? limits.perDay : null,
  };
}
