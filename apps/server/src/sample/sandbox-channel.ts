import type { ChannelKind, SandboxChannel } from '@app/domain/channels/channel-kind';
import { channelKinds } from '../channel-kinds.ts';

/** The channel through which the sample workspace sends: that of the first kind that the sandbox stands in for. */
export const sandboxChannel = findSandboxChannel(channelKinds);

function findSandboxChannel(kinds: readonly ChannelKind[]): SandboxChannel & { kind: ChannelKind } {
  for (const kind of kinds) if (kind.sandbox) return { ...kind.sandbox, kind };
  throw new Error('No kind of channel has a channel at the sandbox.');
}
