import type { ApiDependencies } from '../../../platform/request-context.ts';

/** What effects take of the product. */
export type EffectParts = Pick<ApiDependencies, 'db' | 'channelKinds' | 'secrets' | 'jobs' | 'publicUrl'>;
