import { useEffect, useSyncExternalStore } from 'react';
import { loadFile } from '../ui/load-file.ts';
import { hasMessages, loadMessages, subscribeToMessages, type CatalogueName } from './messages.ts';

/** Whether a part of the page has its words: a catalogue that comes after the page, without a connection as soon as there is one. */
export function useMessages(name: CatalogueName, isNeeded = true): boolean {
  const isThere = useSyncExternalStore(subscribeToMessages, () => hasMessages(name));
  useEffect(() => {
    if (isNeeded && !isThere) void loadFile(() => loadMessages(name));
  }, [isNeeded, isThere, name]);
  return isThere;
}
