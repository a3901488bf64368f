import { readConversationFilters } from '../../shared/conversations/conversations-queries.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

/** What of the inbox stands in the address. */
export function readInboxSearch(search: Record<string, unknown>) {
  return {
    ...readConversationFilters(search),
    search: readText(search, 'search'),
    dialog: readOneOf(search, 'dialog', ['', 'new-chat', 'settings']),
    panel: readOneOf(search, 'panel', ['', 'contact']),
    /** The message that the chat jumps to. */
    message: readText(search, 'message'),
  };
}

/** The parts that leave conversations out. */
export const filterNames = ['tab', 'assignee', 'status', 'label', 'team', 'channel', 'due'] as const;
