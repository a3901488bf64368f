import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { reserveReply } from '@app/delivery/reply-rate';
import { compileRunMessage } from '@app/domain/delivery/run-message';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import {
  findMessage,
  isSendable,
  runMessageOf,
  type MessageChoice,
} from '../platform/messaging/choose-message.ts';
import { findSender } from '../platform/messaging/find-sender.ts';
import type { SignedInContext } from '../platform/request-context.ts';

type TestMessage = { message: MessageChoice; variables: CampaignVariables; phone: string };

type Refusal = Extract<
  ErrorCode,
  | 'contact_phone_invalid'
  | 'template_not_found'
  | 'template_not_approved'
  | 'channel_not_connected'
  | 'platform_unreachable'
>;

export type TestOutcome =
  | { outcome: 'sent'; phone: string }
  | { outcome: 'refused'; code: Refusal }
  /** The platform's refusal, in plain words. */
  | { outcome: 'refused_by_platform'; reason: string };

/**
 * Sends a message once to the number of the person who wrote it, filled with that person's own name. It leaves ahead
 * of every campaign, and no campaign counts it.
 */
export async function sendTestMessage(
  context: Pick<SignedInContext, 'session' | 'inWorkspace' | 'messageSender' | 'db'>,
  { message: choice, variables, phone: written }: TestMessage,
): Promise<TestOutcome> {
  const { workspaceId, user } = context.session;
  const phone = readNumber(written);
  if (phone === null) return { outcome: 'refused', code: 'contact_phone_invalid' };
  const prepared = await context.inWorkspace(async (tx) => {
    const message = await findMessage(tx, workspaceId, choice);
    if (message.kind === 'missing') return 'template_not_found';
    if (!isSendable(message)) return 'template_not_approved';
    const { channel, businessName } = await findSender(tx, workspaceId);
    if (!channel?.isConnected) return 'channel_not_connected';
    return { channelId: channel.id, run: runMessageOf(message, variables, businessName) };
  });
  if (typeof prepared === 'string') return { outcome: 'refused', code: prepared };
  const { channelId, run } = prepared;
  const name = `${user.firstName} ${user.lastName}`.trim();
  const { waitMs } = await reserveReply(context.db.systemPool, channelId);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const result = await context.messageSender.send(channelId, {
    to: phone,
    tag: 'test',
    content: compileRunMessage(run)({ name, phone, email: user.email }),
  });
  if (result.outcome === 'accepted') return { outcome: 'sent', phone };
  return result.outcome === 'refused'
    ? { outcome: 'refused_by_platform', reason: explainDeliveryError(result.error) }
    : { outcome: 'refused', code: 'platform_unreachable' };
}

/** With the country's code, as people write it; the platform says itself whether anybody has the number. */
function readNumber(written: string): string | null {
  const digits = written.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
