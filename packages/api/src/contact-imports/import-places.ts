import { MOST_IMPORTS } from '@app/database/database';

/** So that one workspace leaves room for others. */
const MOST_OF_ONE = MOST_IMPORTS / 2;

export type ImportPlaces = {
  /** A place that is taken at once, and what gives it back; null when there is none. */
  take(workspaceId: string): (() => void) | null;
};

/** What arrives at the same time waits in memory, a piece of each, and its pieces go through the connections of everybody. */
export function createImportPlaces(): ImportPlaces {
  const taken: string[] = [];
  return {
    take(workspaceId) {
      const isFull = taken.length >= MOST_IMPORTS;
      if (isFull || taken.filter((owner) => owner === workspaceId).length >= MOST_OF_ONE) return null;
      taken.push(workspaceId);
      return () => void taken.splice(taken.indexOf(workspaceId), 1);
    },
  };
}
