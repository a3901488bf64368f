import { id } from '../endpoint.ts';

/** The number or agent that it leaves through; null, or left out: that through which the workspace sends when it begins. */
export const chosenNumber = id.nullable().default(null);
