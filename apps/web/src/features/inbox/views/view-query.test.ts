import { describe, expect, test } from 'vitest';
import { queryOf, readConversationFilters } from '../../../shared/conversations/conversations-queries.ts';
import { filtersOf, showsView, type ViewQuery } from './view-query.ts';

const ID = '0193a6f0-0000-7000-8000-000000000001';

describe('a saved view', () => {
  test.each([
    {},
    { tab: 'unread' },
    { tab: 'archived', status: 'resolved', label: 'VIP' },
    { tab: 'pinned', assignee: 'nobody', due: 'next' },
    { assignee: ID, team: ID, channel: ID },
  ])('brings the list back to %j', (search) => {
    const filters = readConversationFilters(search);
    const query = queryOf(filters);
    expect(filtersOf(query)).toEqual(filters);
    expect(showsView(filters, { query })).toBe(true);
    expect(showsView({ ...filters, label: 'other' }, { query })).toBe(false);
  });

  test.each<ViewQuery>([
    { archived: 'no', order: 'newest' },
    { archived: 'yes', unread: 'yes', order: 'pinned' },
    { archived: 'no', pinned: 'no', order: 'pinned' },
  ])('that the page has no filters for is not taken for what is shown: %j', (query) =>
    expect(showsView(filtersOf(query), { query })).toBe(false),
  );
});
