import { indexChannelKinds, type ChannelKind, type ChannelKinds } from '@app/domain/channels/channel-kind';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';

/** Every way to reach people that this product has. */
const ours: readonly ChannelKind[] = [whatsAppKind];

export const channelKinds: ChannelKinds = indexChannelKinds(ours);
