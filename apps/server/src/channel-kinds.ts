import type { ChannelKind } from '@app/domain/channels/channel-kind';
import { rcsKind } from '@app/providers/rcs/rcs-kind';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';

/** Every way to reach people that this product has. */
export const channelKinds: readonly ChannelKind[] = [whatsAppKind, rcsKind];
