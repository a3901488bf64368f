import { prepareData } from './prepared-data.ts';

/** Playwright calls this once before the journeys, and asks for a default export; its workers inherit the environment. */
export default async function prepare(): Promise<void> {
  process.env['PREPARED_DATA'] = await prepareData();
}
