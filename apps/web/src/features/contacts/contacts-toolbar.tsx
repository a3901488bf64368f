import { useQuery } from '@tanstack/react-query';
import { Ellipsis, ListPlus, Merge } from 'lucide-react';
import { contactSorts } from '@app/domain/contacts/contact';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { segmentOf, segmentsOptions, tagsOptions } from '../../shared/contacts/contacts-queries.ts';
import { SegmentsMenu } from '../segments/segments-menu.tsx';
import { mayMerge } from '../contact-merges/use-merge.ts';
import type { ContactList } from './contacts-table.tsx';

/** Who may change what every contact has. */
export const mayManageFields = () => can('contacts:update') && can('templates:update');

/** Search, filter, order and the rarer tools of the list. */
export function ContactsToolbar({ contacts }: { contacts: ContactList }) {
  const { url, setUrl, searchField, choice, activeFilters } = contacts;
  const tags = useQuery(tagsOptions).data?.items ?? [];
  const segmentList = useQuery(segmentsOptions).data?.items;
  const segments = segmentList ?? [];
  const chosenSegment = segmentOf(url.filter);
  // The address can name one that somebody has deleted.
  const isGone = segmentList && chosenSegment && !segments.some(({ id }) => id === chosenSegment);
  const chosenTag = url.filter.startsWith('tag:') ? url.filter.slice(4) : undefined;
  // A tag in the address stays a choice when no contact has it any more.
  const known = chosenTag === undefined || tags.some(({ tag }) => tag === chosenTag);
  const shownTags = known ? tags : [{ tag: chosenTag, contacts: 0 }, ...tags];
  return (
    <Toolbar
      search={<SearchInput {...searchField} placeholder={t('contacts.search')} />}
      active={activeFilters}
      sort={
        <FilterSelect
          {...choice('sort')}
          label={t('contacts.sort')}
          options={contactSorts.map((value) => ({ value, label: t(`contacts.sort.${value}`) }))}
        />
      }
    >
      <FilterSelect
        {...choice('filter')}
        label={t('contacts.filter')}
        options={[
          { value: 'all', label: t('contacts.filterAll') },
          { value: 'active', label: t('contacts.active') },
          { value: 'blocked', label: t('contacts.blocked') },
          ...segments.map(({ id, name }) => ({
            value: `segment:${id}`,
            label: t('contacts.segment.option', { name }),
          })),
          ...(isGone ? [{ value: url.filter, label: t('contacts.segment.deletedOption') }] : []),
          ...shownTags.map(({ tag, contacts }) => ({
            value: `tag:${tag}`,
            label: tag,
            hint: t('contacts.filterCount', { n: contacts }),
          })),
        ]}
      />
      <SegmentsMenu
        segments={segments}
        filter={url.filter}
        onShow={(filter) => setUrl({ filter })}
        onOpen={(segment) => setUrl({ dialog: 'segment', segment }, { push: true })}
      />
      <ToolsMenu onOpen={(dialog) => setUrl({ dialog }, { push: true })} />
    </Toolbar>
  );
}

/** What is needed now and then: it must not crowd the search. */
function ToolsMenu({ onOpen }: { onOpen: (dialog: 'fields' | 'duplicates') => void }) {
  const entries = [
    ...(mayManageFields()
      ? [{ label: t('contacts.fields'), icon: <ListPlus aria-hidden />, onSelect: () => onOpen('fields') }]
      : []),
    ...(mayMerge()
      ? [
          {
            label: t('contacts.duplicateList'),
            icon: <Merge aria-hidden />,
            onSelect: () => onOpen('duplicates'),
          },
        ]
      : []),
  ];
  if (entries.length === 0) return null;
  return (
    <Menu
      trigger={<Button icon={<Ellipsis aria-hidden />}>{t('contacts.tools')}</Button>}
      entries={entries}
    />
  );
}
