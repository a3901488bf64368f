import { readOneOf, readText } from '../../shared/url-state.ts';

/** What of the inbox stands in the address. */
export function readInboxSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    dialog: readOneOf(search, 'dialog', ['', 'new-chat', 'settings']),
    panel: readOneOf(search, 'panel', ['', 'contact']),
    /** The message that the chat jumps to. */
    message: readText(search, 'message'),
  };
}
