import { createContext, use } from 'react';

/** Whether the server cannot be reached at all; the app knows, the building blocks ask. */
export const OfflineContext = createContext(false);

export function useIsOffline(): boolean {
  return use(OfflineContext);
}
