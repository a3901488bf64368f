import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { giveBackMessage, reserveMessage } from '@app/delivery/reserve-message';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import { compileRunMessage } from '@app/domain/delivery/run-message';
import type { FactType } from '@app/domain/events/fact-catalogue';
import { explainDeliveryError, wordOf } from '@app/domain/messaging/delivery-error-words';
import { findMessage, isSendable, runMessageOf, type MessageChoice } from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../sending/message-variables.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type TestFact = Extract<FactType, `test_message.${string}`>;
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
  | { outcome: 'refused_by_platform'; reason: string; word: string };

/**
 * Sends a message once to the number of the person who wrote it, filled with that person's own name, and
 * with the custom fields of the contact that has the number. It leaves ahead of every campaign, and no campaign counts it, but
 * the daily limit does. The audit log has it before it leaves, and what became of it if it was not sent.
 */
export async function sendTestMessage(
  context: Pick<SignedInContext, 'session' | 'read' | 'change' | 'channelKinds' | 'messageSender' | 'logger'>,
  { message: choice, variables, phone: written }: TestMessage,
): Promise<TestOutcome> {
  const { user } = context.session;
  const phone = readNumber(written);
  if (phone === null) return { outcome: 'refused', code: 'contact_phone_invalid' };
  const prepared = await context.read(async (scope) => {
    const message = await findMessage(scope, choice);
    if (message.kind === 'missing') return 'template_not_found';
    const { channel, rules, businessName, messagesPerDay } = await findSender(scope, context.channelKinds);
    if (!isSendable(message, rules)) return 'template_not_approved';
    if (!channel?.isConnected || !rules) return 'channel_not_connected';
    const resolved = await resolveVariables(scope, message, variables);
    if (resolved === 'custom_field_unknown') return resolved;
    const run = runMessageOf(message, await addFieldTypes(scope, resolved), businessName, rules);
    const name = `${user.firstName} ${user.lastName}`.trim();
    const customValues = await findCustomValues(scope, phone);
    const content = compileRunMessage(run)({ name, phone, email: user.email, customValues });
    return { channelId: channel.id, perDay: messagesPerDay, content };
  });
  if (typeof prepared === 'string') return { outcome: 'refused', code: prepared };
  const { channelId, perDay, content } = prepared;
  // Before a place in the day's allowance is taken: what fails here has sent nothing.
  const channel = await context.messageSender.open(channelId).catch((error: unknown) => {
    context.logger.error({ err: error, channelId }, 'the channel of a test message could not be opened');
    return null;
  });
  if (!channel) return { outcome: 'refused', code: 'platform_unreachable' };
  const tell = (scope: WorkspaceScope, type: TestFact) =>
    scope.tell({ type, subject: channelId, values: {} });
  const reserved = await context.change(async (scope) => {
    const { workspaceId } = scope;
    const now = scope.clock().getTime();
    const place = await reserveMessage(scope, { workspaceId, channelId, perDay, now });
    if (place.outcome !== 'daily_limit') await tell(scope, 'test_message.begun');
    return place;
  });
  if (reserved.outcome === 'daily_limit') return { outcome: 'refused', code: 'daily_limit_reached' };
  await new Promise((resolve) => setTimeout(resolve, reserved.waitMs));
  const result = await channel.send({ to: phone, tag: 'test', content });
  switch (result.outcome) {
    case 'accepted':
      return { outcome: 'sent', phone };
    case 'refused':
      await context.change((scope) => tell(scope, 'test_message.refused'));
      return {
        outcome: 'refused_by_platform',
        reason: explainDeliveryError(result.error),
        word: wordOf(result.error),
      };
    case 'unknown':
      await context.change((scope) => tell(scope, 'test_message.lost'));
      return { outcome: 'refused', code: 'outcome_unknown' };
    case 'not_sent':
      await context.change(async (scope) => {
        await giveBackMessage(scope, reserved);
        await tell(scope, 'test_message.not_sent');
      });
      return { outcome: 'refused', code: 'platform_unreachable' };
  }
}

async function findCustomValues(scope: ReadScope, phone: string): Promise<CustomValues | undefined> {
  const { rows } = await scope.query<{ custom_values: CustomValues }>(
    'SELECT custom_values FROM contacts WHERE workspace_id = $1 AND phone = $2',
    [scope.workspaceId, phone],
  );
  return rows[0]?.custom_values;
}

/** With the country's code, as people write it; the platform says itself whether anybody has the number. */
function readNumber(written: string): string | null {
  const digits = written.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
