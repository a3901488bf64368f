import { COMPILED, prepareData } from './prepared-data.ts';

/** Playwright calls this once before the journeys, and asks for a default export; its workers inherit the environment. */
export default async function prepare(): Promise<void> {
  // Each worker and each product loads the same scripts; one compiles them for all.
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  process.env['PREPARED_DATA'] = await prepareData();
}
