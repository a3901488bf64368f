import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import type { Queries } from '@app/database/database';
import { giveBackMessage, reserveMessage } from '@app/delivery/reserve-message';
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
  | 'daily_limit_reached'
  | 'outcome_unknown'
>;

export type TestOutcome =
  | { outcome: 'sent'; phone: string }
  | { outcome: 'refused'; code: Refusal }
  /** The platform's refusal, in plain words. */
  | { outcome: 'refused_by_platform'; reason: string };

/**
 * Sends a message once to the number of the person who wrote it, filled with that person's own name, and
 * with the custom fields of the contact that has the number. It leaves ahead of every campaign, and no campaign counts it, but
 * the daily limit does. The audit log has it before it leaves, and what became of it if it was not sent.
 */
export async function sendTestMessage(
  context: Pick<SignedInContext, 'session' | 'inWorkspace' | 'messageSender' | 'recordActivity' | 'clock'>,
  { message: choice, variables, phone: written }: TestMessage,
): Promise<TestOutcome> {
  const { workspaceId, user } = context.session;
  const phone = readNumber(written);
  if (phone === null) return { outcome: 'refused', code: 'contact_phone_invalid' };
  const prepared = await context
    .inWorkspace(async (tx, client) => {
      const message = await findMessage(tx, workspaceId, choice);
      if (message.kind === 'missing') return 'template_not_found';
      if (!isSendable(message)) return 'template_not_approved';
      const { channel, businessName, messagesPerDay } = await findSender(tx, workspaceId);
      if (!channel?.isConnected) return 'channel_not_connected';
      const resolved = await resolveVariables(client, workspaceId, message, variables);
      if (resolved === 'custom_field_unknown') return resolved;
      const filled = await addFieldTypes(client, workspaceId, resolved);
      const customValues = await findCustomValues(client, workspaceId, phone);
      await note('Sends a test message', 'send', tx);
      const now = context.clock().getTime();
      const reserved = await reserveMessage(client, {
        ...{ workspaceId, channelId: channel.id, perDay: messagesPerDay, now },
      });
      // Thrown, so that nothing stays noted of what is not even tried.
      if (reserved.outcome === 'daily_limit') throw new DailyLimitReached();
      const run = runMessageOf(message, filled, businessName);
      return { channelId: channel.id, run, customValues, reserved };
    })
    .catch((error: unknown) => {
      if (error instanceof DailyLimitReached) return 'daily_limit_reached' as const;
      throw error;
    });
  if (typeof prepared === 'string') return { outcome: 'refused', code: prepared };
  const { channelId, run, customValues, reserved } = prepared;
  const name = `${user.firstName} ${user.lastName}`.trim();
  await new Promise((resolve) => setTimeout(resolve, reserved.waitMs));
  const result = await context.messageSender.send(channelId, {
    to: phone,
    tag: 'test',
    content: compileRunMessage(run)({ name, phone, email: user.email, customValues }),
  });
  switch (result.outcome) {
    case 'accepted':
      return { outcome: 'sent', phone };
    case 'refused':
      await context.inWorkspace((tx) => note('The platform refused the test message', 'update', tx));
      return { outcome: 'refused_by_platform', reason: explainDeliveryError(result.error) };
    case 'unknown':
      await context.inWorkspace((tx) => note('Nobody knows whether the test message left', 'update', tx));
      return { outcome: 'refused', code: 'outcome_unknown' };
    case 'not_sent':
      await context.inWorkspace(async (tx, client) => {
        await giveBackMessage(client, reserved);
        await note('The test message was not sent', 'update', tx);
      });
      return { outcome: 'refused', code: 'platform_unreachable' };
  }

  function note(description: string, type: 'send' | 'update', tx: Queries): Promise<void> {
    return context.recordActivity(tx, { type, resource: 'campaigns', description });
  }
}

class DailyLimitReached extends Error {}

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
