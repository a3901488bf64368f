import { readConversationFilters } from '../../shared/conversations/conversations-queries.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

/** What of the inbox stands in the address. */
export function readInboxSearch(search: Record<string, unknown>) {
  return {
    ...readConversationFilters(search),
    search: readText(search, 'search'),
    /** The saved view that was chosen. */
    view: readText(search, 'view'),
    dialog: readOneOf(search, 'dialog', ['', 'new-chat', 'settings']),
    panel: readOneOf(search, 'panel', ['', 'contact']),
    /** The message that the chat jumps to. */
    message: readText(search, 'message'),
  };
}

/** The parts that leave conversations out. */
export const filterNames = [
  'tab',
  'assignee',
  'status',
  'priority',
  'label',
  'team',
  'channel',
  'due',
] as const;

/** The list that filters and views are about. */
export interface FilteredList {
  url: InboxSearch;
  setUrl: (patch: { [Name in keyof InboxSearch]?: InboxSearch[Name] | undefined }) => void;
  activeFilters: number;
}

type InboxSearch = ReturnType<typeof readInboxSearch>;

/** Takes all filters out of the address, beside the tab. */
export const withoutFilters = {
  assignee: undefined,
  status: undefined,
  priority: undefined,
  label: undefined,
  team: undefined,
  channel: undefined,
  due: undefined,
  view: undefined,
};
