import type { AiConnection } from '@app/domain/chatbot/model/ai-models';

/** Addresses of the hosted providers, as their documentation gives them. */
export const providerUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

export function baseUrlOf({ provider, baseUrl }: AiConnection): string {
  const url = provider === 'compatible' ? (baseUrl ?? '') : providerUrls[provider];
  return url.replace(/\/+$/, '');
}

/** The library of the provider, loaded when it is first used. */
export async function openModel(
  connection: AiConnection,
  model: string,
  fetch: typeof globalThis.fetch,
  { isStructured }: { isStructured: boolean },
) {
  const options = { apiKey: connection.key, baseURL: baseUrlOf(connection), fetch };
  switch (connection.provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI(options).chat(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(options)(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI(options)(model);
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const named = { name: 'compatible', supportsStructuredOutputs: isStructured };
      return createOpenAICompatible({ ...options, ...named })(model);
    }
  }
}

/** Null where the provider has no embeddings. */
export async function openEmbeddings(
  connection: AiConnection,
  model: string,
  fetch: typeof globalThis.fetch,
) {
  const options = { apiKey: connection.key, baseURL: baseUrlOf(connection), fetch };
  switch (connection.provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI(options).textEmbeddingModel(model);
    }
    case 'anthropic':
      return null;
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI(options).textEmbeddingModel(model);
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ ...options, name: 'compatible' }).textEmbeddingModel(model);
    }
  }
}
