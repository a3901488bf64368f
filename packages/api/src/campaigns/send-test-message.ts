import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { reserveReply } from '@app/delivery/reply-rate';
import type { CustomValues } from '@app/domain/contacts/custom-field';
import { compileRunMessage } from '@app/domain/delivery/run-message';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import {
  findMessage,
  isSendable,
  runMessageOf,
  type MessageChoice,
} from '../platform/messaging/choose-message.ts';
import { findSender } from '../platform/messaging/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../platform/messaging/message-variables.ts';
import type pg from 'pg';
import type { SignedInContext } from '../platform/request-context.ts';

type TestMessage = { message: MessageChoice; variables: CampaignVariables; phone: string };

type Refusal = Extract<
  ErrorCode,
  | 'contact_phone_invalid'
  | 'template_not_found'
  | 'template_not_approved'
  | 'channel_not_connected'
  | 'platform_unreachable'
  | 'custom_field_unknown'
>;

export type TestOutcome =
  | { outcome: 'sent'; phone: string }
  | { outcome: 'refused'; code: Refusal }
  /** The platform's refusal, in plain words. */
  | { outcome: 'refused_by_platform'; reason: string };

/**
 * Sends a message once to the number of the person who wrote it, filled with that person's own name, and
 * with the custom fields of the contact that has the number. It leaves ahead of every campaign, and no campaign counts it.
 */
export async function sendTestMessage(
  context: Pick<SignedInContext, 'session' | 'inWorkspace' | 'messageSender' | 'db'>,
  { message: choice, variables, phone: written }: TestMessage,
): Promise<TestOutcome> {
  const { workspaceId, user } = context.session;
  const phone = readNumber(written);
  if (phone === null) return { outcome: 'refused', code: 'contact_phone_invalid' };
  const prepared = await context.inWorkspace(async (tx, client) => {
    const message = await findMessage(tx, workspaceId, choice);
    if (message.kind === 'missing') return 'template_not_found';
    if (!isSendable(message)) return 'template_not_approved';
    const { channel, businessName } = await findSender(tx, workspaceId);
    if (!channel?.isConnected) return 'channel_not_connected';
    const resolved = await resolveVariables(client, workspaceId, message, variables);
    if (resolved === 'custom_field_unknown') return resolved;
    const filled = await addFieldTypes(client, workspaceId, resolved);
    const customValues = await findCustomValues(client, workspaceId, phone);
    return { channelId: channel.id, run: runMessageOf(message, filled, businessName), customValues };
  });
  if (typeof prepared === 'string') return { outcome: 'refused', code: prepared };
  const { channelId, run, customValues } = prepared;
  const name = `${user.firstName} ${user.lastName}`.trim();
  const { waitMs } = await reserveReply(context.db.systemPool, channelId);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const result = await context.messageSender.send(channelId, {
    to: phone,
    tag: 'test',
    content: compileRunMessage(run)({ name, phone, email: user.email, customValues }),
  });
  if (result.outcome === 'accepted') return { outcome: 'sent', phone };
  return result.outcome === 'refused'
    ? { outcome: 'refused_by_platform', reason: explainDeliveryError(result.error) }
    : { outcome: 'refused', code: 'platform_unreachable' };
}

async function findCustomValues(
  client: pg.PoolClient,
  workspaceId: string,
  phone: string,
): Promise<CustomValues | undefined> {
  const { rows } = await client.query<{ custom_values: CustomValues }>(
    'SELECT custom_values FROM contacts WHERE workspace_id = $1 AND phone = $2',
    [workspaceId, phone],
  );
  return rows[0]?.custom_values;
}

/** With the country's code, as people write it; the platform says itself whether anybody has the number. */
function readNumber(written: string): string | null {
  const digits = written.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
