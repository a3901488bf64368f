import { botAiContract } from '@app/contracts/chatbot/bot-ai-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { readUsage, settleReply, storeAiCall } from './ai-calls.ts';
import {
  completeOpening,
  findAiConnection,
  presentAiConnection,
  removeAiConnection,
  saveAiConnection,
} from './ai-connections.ts';

const os = implementEndpoints(botAiContract);
const TEST_TOKENS = 300;

export const botAiApi = os.router({
  get: os.get.handler(({ context }) => context.read((scope) => shown(scope, context))),

  save: os.save.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { provider, baseUrl, key, ...rest } = input;
      const { secrets, calls } = context;
      const stored = await findAiConnection(scope);
      if ((stored?.version ?? 0) !== input.version) throw errors.bot_ai_changed();
      const opening = await completeOpening(
        { provider, baseUrl, key },
        { stored, workspaceId: scope.workspaceId, secrets, calls },
      );
      if (typeof opening === 'string')
        throw errors[opening]({ data: { field: opening === 'bot_ai_key_needed' ? 'key' : 'baseUrl' } });
      const refused = await saveAiConnection(scope, { opening, ...rest }, secrets);
      if (refused) throw errors[refused]();
      return shown(scope, context);
    }),
  ),

  test: os.test.handler(async ({ input, context, errors }) => {
    const { secrets, calls, aiModels, session } = context;
    const { workspaceId } = session;
    const stored = await context.read(findAiConnection);
    const opening = await completeOpening(input, { stored, workspaceId, secrets, calls });
    if (typeof opening === 'string')
      throw errors[opening]({ data: { field: opening === 'bot_ai_key_needed' ? 'key' : 'baseUrl' } });
    const listed = await aiModels.listModels(opening);
    const models = listed.ok ? listed.value : [];
    // Some endpoints list no models; the answer decides.
    if (input.model === null || (!listed.ok && listed.problem === 'key_refused'))
      return {
        problem: listed.ok ? null : listed.problem,
        models,
        answer: null,
        durationMs: listed.durationMs,
      };
    const id = newId();
    await context.change((scope) =>
      storeAiCall(scope, { id, purpose: 'test', state: 'begun', model: input.model }),
    );
    const reply = await aiModels.answer(opening, {
      model: input.model,
      instructions: 'You answer customers in a chat. Greet the customer in one short sentence.',
      messages: [{ role: 'user', text: 'Hello!' }],
      mostTokens: TEST_TOKENS,
    });
    const prices = stored ?? { price_in: null, price_out: null };
    await context.change((scope) => settleReply(scope, id, reply, prices));
    return {
      problem: reply.ok ? null : reply.problem,
      ...{ models, answer: reply.ok ? reply.value.answer : null, durationMs: reply.durationMs },
    };
  }),

  remove: os.remove.handler(({ context, errors }) =>
    context.change(async (scope) => {
      const refused = await removeAiConnection(scope);
      if (refused) throw errors[refused]();
      return {};
    }),
  ),
});

async function shown(scope: ReadScope, { sandboxUrl }: Pick<SignedInContext, 'sandboxUrl'>) {
  const stored = await findAiConnection(scope);
  return {
    connection: stored && presentAiConnection(stored),
    usage: await readUsage(scope),
    // Its values are public: they stand in the documentation of the sandbox.
    sandbox:
      sandboxUrl === undefined
        ? null
        : {
            ...{ baseUrl: `${sandboxUrl}/openai/v1`, key: 'sandbox-openai-key' },
            ...{ model: 'sandbox-chat', embeddingModel: 'sandbox-embedding' },
          },
  };
}
