import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { newId } from '@app/database/new-id';
import { systemClock } from '@app/delivery/delivery-host';
import { claimMessage, type Claimed } from '@app/delivery/messages/claim-message';
import { REQUEST_OWNER } from '@app/delivery/messages/give-up-messages';
import type { PriceOf } from '@app/delivery/pace/budget';
import { enqueueMessage } from '@app/delivery/messages/enqueue-message';
import { sendClaimed } from '@app/delivery/messages/send-claimed';
import { actorOf } from '@app/domain/auth/caller';
import { readInternational } from '@app/domain/contacts/written-number';
import {
  findContentType,
  type ContentFault,
  type ContentType,
  type GivenContent,
} from '@app/domain/channel-kinds/content-type';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import { compileRunMessage, type RecipientFacts } from '@app/domain/delivery/run-message';
import type { DailyLimits } from '@app/domain/channels/channel-limits';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { explainDeliveryError, wordOf } from '@app/domain/messaging/delivery-error-messages';
import {
  findMessage,
  whyUnsendable,
  runMessageOf,
  type ChosenMessage,
  type MessageChoice,
} from '../sending/choose-message.ts';
import { findSender, isOwnNumber } from '../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../sending/message-variables.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { writeLink } from '@app/database/links/link-code';
import { countLinks } from '../sending/count-links.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type TestMessage = {
  message: MessageChoice | { content: GivenContent };
  variables: CampaignVariables;
  phone: string;
  channelId: string | null;
};

type Refusal = Extract<
  ErrorCode,
  | 'contact_phone_invalid'
  | 'template_not_found'
  | 'template_not_approved'
  | 'content_not_found'
  | 'content_not_active'
  | 'content_elsewhere'
  | 'link_target_missing'
  | 'content_file_gone'
  | 'channel_not_connected'
  | 'channel_not_found'
  | 'chosen_number_off'
  | 'platform_unreachable'
  | 'custom_field_unknown'
  | 'daily_limit_reached'
  | 'budget_reached'
  | 'outcome_unknown'
  | 'message_kind_unsupported'
>;

export type TestOutcome =
  | { outcome: 'sent'; phone: string }
  | { outcome: 'refused'; code: Refusal }
  | { outcome: 'content_invalid'; fault: ContentFault }
  /** The platform's refusal, in plain words. */
  | { outcome: 'refused_by_platform'; reason: string; word: string };

/**
 * Sends a message once to the number of the person who wrote it, filled with that person's own name, and
 * with the custom fields and the language of the contact that has the number. It leaves ahead of every campaign, and no campaign counts it, but
 * the daily limit and the budget do. The audit log has it before it leaves, and what became of it if it was not sent.
 */
export async function sendTestMessage(
  context: Pick<
    SignedInContext,
    'session' | 'read' | 'change' | 'channelKinds' | 'messageSender' | 'logger' | 'publicUrl'
  >,
  { message: choice, variables, phone: written, channelId: chosen }: TestMessage,
): Promise<TestOutcome> {
  const { user } = context.session;
  // The platform says itself whether anybody has the number.
  const phone = readInternational(written);
  if (phone === null) return { outcome: 'refused', code: 'contact_phone_invalid' };
  const prepared = await context.change(async (scope) => {
    if (!(await isOwnNumber(scope, chosen))) return 'channel_not_found';
    const sender = await findSender(scope, context.channelKinds, chosen);
    const { channel, rules, businessName, daily, priceOf } = sender;
    if ('content' in choice && !rules) return 'channel_not_connected';
    const message =
      'content' in choice
        ? readContent(choice.content, rules?.contents ?? [])
        : await findMessage(scope, choice, chosen ?? undefined);
    if (typeof message === 'string' || 'path' in message) return message;
    if (message.kind === 'missing') return `${message.of}_not_found` as const;
    if (sender.isChosen && !channel?.isConnected) return 'chosen_number_off';
    if (message.kind === 'template' && !sender.hasTemplates) return 'template_not_approved';
    const why = whyUnsendable(message, rules);
    if (why !== null) return why;
    if (!channel?.isConnected || !rules) return 'channel_not_connected';
    const resolved = await resolveVariables(scope, message, variables);
    if (resolved === 'custom_field_unknown') return resolved;
    const run = runMessageOf(message, await addFieldTypes(scope, resolved), businessName, rules);
    const name = `${user.firstName} ${user.lastName}`.trim();
    const known = await findKnown(scope, phone);
    // Its links lead on, and nothing is counted: nobody else's result is changed by a test.
    const counted = await countLinks(scope, context, run, {
      ...{ message, rules, channelId: channel.id, campaignId: null, contactId: null, isWanted: true },
    });
    if (counted === 'link_target_missing') return counted;
    const facts: RecipientFacts = { name, phone, email: user.email, ...known };
    const content = compileRunMessage(counted.run)({ ...facts, writeLink: (link) => writeLink(link, 0) });
    return { channelId: channel.id, daily, priceOf, content };
  });
  if (typeof prepared === 'string') return { outcome: 'refused', code: prepared };
  if ('path' in prepared) return { outcome: 'content_invalid', fault: prepared };
  const { channelId, daily, priceOf, content } = prepared;
  // Before a place in the day's allowance is taken: what fails here has sent nothing.
  const channel = await context.messageSender.open(channelId).catch((error: unknown) => {
    context.logger.error({ err: error, channelId }, 'the channel of a test message could not be opened');
    return null;
  });
  if (!channel) return { outcome: 'refused', code: 'platform_unreachable' };
  const owner = `${REQUEST_OWNER}${newId()}`;
  const claimed = await context.change((scope) =>
    enqueueClaimed(scope, { owner, channelId, daily, priceOf, phone, content }),
  );
  if (claimed.outcome === 'cancelled')
    return {
      outcome: 'refused',
      code:
        claimed.code === 'daily_limit_reached' || claimed.code === 'budget_reached'
          ? claimed.code
          : 'channel_not_connected',
    };
  const sent = await sendClaimed(
    {
      transact: (_, work) => context.change((scope) => work(scope, (fact) => scope.emit(fact))),
      ...{ channel, clock: systemClock, random: Math.random, owner },
    },
    claimed,
  );
  switch (sent.to) {
    case 'accepted':
      return { outcome: 'sent', phone };
    case 'refused':
      return {
        outcome: 'refused_by_platform',
        reason: explainDeliveryError({ code: sent.code, title: sent.detail ?? '' }),
        word: wordOf({ code: sent.code }),
      };
    case 'not_sent':
      return { outcome: 'refused', code: 'platform_unreachable' };
    case 'cancelled':
      return {
        outcome: 'refused',
        code: sent.code === 'channel_not_connected' ? sent.code : 'platform_unreachable',
      };
    case 'unknown':
    case 'lost':
    case 'queued':
      return { outcome: 'refused', code: 'outcome_unknown' };
  }
}

type Test = {
  owner: string;
  channelId: string;
  daily: DailyLimits;
  priceOf: PriceOf | null;
  phone: string;
  content: MessageContent;
};

/** The content in its clean form, or its first fault. */
function readContent(
  given: GivenContent,
  contents: readonly ContentType[],
): Extract<ChosenMessage, { kind: 'content' }> | ContentFault | 'message_kind_unsupported' {
  const type = findContentType(contents, given);
  if (!type) return 'message_kind_unsupported';
  const read = type.read(given.value);
  if ('faults' in read) return read.faults[0]!; // there is one, or it would be a value
  const { kind, contentType } = given;
  return { kind: 'content', content: { type: 'kind_content', kind, contentType, value: read.value } };
}

/**
 * The row of a single message that belongs to no conversation: whoever tests a channel may write to any number. It is this request's from the
 * beginning; should its process die before the call, nobody sends it later.
 */
async function enqueueClaimed(
  scope: WorkspaceScope,
  { owner, channelId, daily, priceOf, phone, content }: Test,
): Promise<Claimed> {
  const at = scope.clock();
  const { id } = await enqueueMessage(scope, {
    ...{
      id: newId(at.getTime()),
      workspaceId: scope.workspaceId,
      channelId,
      contactId: null,
      address: phone,
    },
    ...{ content, text: content.type === 'text' ? content.body : `[${content.type}]`, purpose: 'test' },
    ...{
      isMarketing: false,
      needsWindow: false,
      author: actorOf(scope.caller),
      cause: scope.cause,
      key: null,
      at,
    },
    giveUpAt: new Date(at.getTime() + GIVE_UP_MS),
  });
  const claimed = await claimMessage(scope, { id, owner, ...daily, priceOf, now: at.getTime() });
  if (!claimed) throw new Error('A message that was left in this transaction is nobody else’s.');
  if (claimed.outcome === 'claimed')
    await scope.emit({ type: 'test_message.begun', subject: channelId, values: {} });
  return claimed;
}

const GIVE_UP_MS = 30_000;

async function findKnown(
  scope: ReadScope,
  phone: string,
): Promise<Pick<RecipientFacts, 'customValues' | 'language'>> {
  const { rows } = await scope.query<{ customValues: CustomValues; language: string | null }>(
    'SELECT custom_values AS "customValues", language FROM contacts WHERE workspace_id = $1 AND phone = $2',
    [scope.workspaceId, phone],
  );
  return rows[0] ?? {};
}
