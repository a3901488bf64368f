import { readPhones } from '@app/delivery/audience-preview';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import type { SignedInContext } from '../platform/request-context.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { isOwnNumber } from '../sending/find-sender.ts';

/** Of a larger audience the first so many are asked about. */
const MOST_ASKED = 10_000;

/**
 * How many of an audience the platform of a channel reaches. The platform is called outside of any transaction; its client keeps answers, so that
 * asking again is cheap. `asked` is null for a channel whose platform cannot be asked.
 */
export async function countReachable(
  context: Pick<SignedInContext, 'read' | 'messageSender' | 'logger'>,
  { audience: planned, channelId }: { audience: ChosenAudience; channelId: string },
): Promise<{ asked: number | null; reachable: number } | 'channel_not_found' | 'platform_unreachable'> {
  if (!(await context.read((scope) => isOwnNumber(scope, channelId)))) return 'channel_not_found';
  const channel = await context.messageSender.open(channelId).catch((error: unknown) => {
    context.logger.warn({ err: error, channelId }, 'the channel of a capability check could not be opened');
    return null;
  });
  if (!channel) return 'platform_unreachable';
  if (!channel.findReachable) return { asked: null, reachable: 0 };
  const phones = await context.read('counting', async (scope) => {
    const { audience } = await resolveAudience(scope, planned);
    return readPhones(scope, { workspaceId: scope.workspaceId, audience, most: MOST_ASKED });
  });
  const answer = await channel.findReachable(phones);
  if (answer.outcome !== 'done') return 'platform_unreachable';
  return { asked: phones.length, reachable: answer.value.size };
}
