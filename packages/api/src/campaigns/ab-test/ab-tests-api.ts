import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { planTest } from '../../sending/ab-variants.ts';
import { resolveAudience } from '../../sending/audience-segments.ts';
import { categoryOf, findMessage } from '../../sending/choose-message.ts';
import { findSender, isOwnNumber } from '../../sending/find-sender.ts';
import { chooseVariant } from './decide-ab-tests.ts';
import { readAbTest } from './read-ab-test.ts';

const os = implementEndpoints(campaignsContract);

/** A/B tests of campaigns: what one would need, how it does, and who gets which variant behind it. */
export const abTestsApi = {
  planTest: os.planTest.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const { channelId, shares, message: choice, audience: planned, ...rule } = input;
      if (!(await isOwnNumber(scope, channelId))) throw errors.channel_not_found();
      const message = await findMessage(scope, choice, channelId ?? undefined);
      if (message.kind === 'missing') throw errors[`${message.of}_not_found`]();
      const { channel, rules } = await findSender(scope, context.channelKinds, channelId);
      const { audience } = await resolveAudience(scope, planned);
      const category = categoryOf(message, rules);
      return planTest(scope, rule, { shares, audience, category, channelId: channel?.id ?? null });
    }),
  ),

  getTest: os.getTest.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const read = await readAbTest(scope, input.campaignId);
      if (typeof read === 'string') throw errors[read]();
      return read;
    }),
  ),

  chooseVariant: os.chooseVariant.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const chosen = await chooseVariant(scope, input);
      if (typeof chosen === 'string') throw errors[chosen]();
      return chosen;
    }),
  ),
};
