import { useQuery } from '@tanstack/react-query';
import { Ellipsis, ListPlus, Merge, MessageSquare } from 'lucide-react';
import { contactSorts } from '@app/domain/contacts/contact';
import { orpc } from '../../../shared/api.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import { Toolbar } from '../../../ui/table/toolbar.tsx';
import { mayManageFields } from '../../../shared/contacts/custom-fields.ts';
import {
  campaignOf,
  reportOf,
  importOf,
  segmentOf,
  segmentsOptions,
  tagsOptions,
} from '../../../shared/contacts/contacts-queries.ts';
import { SegmentsMenu } from '../../segments/segments-menu.tsx';
import { mayMerge } from '../../contact-merges/use-merge.ts';
import { filterWords } from './contact-choice.ts';
import type { ContactList } from './contact-list.ts';
import { filterRules } from './filter-rules.ts';
import type { ListLayoutChoice } from './list-layout.ts';
import { mayWriteToMany, useWriteToMany } from './use-write-to-many.ts';
import { ViewMenu } from './view-menu.tsx';

/** Search, filter, order and the rarer tools of the list. */
export function ContactsToolbar({ contacts, layout }: { contacts: ContactList; layout: ListLayoutChoice }) {
  const { url, setUrl, wanted, searchField, choice, activeFilters } = contacts;
  const writeTo = useWriteToMany();
  const tags = useQuery(tagsOptions).data?.items ?? [];
  const segmentList = useQuery(segmentsOptions).data?.items;
  const segments = segmentList ?? [];
  const chosenSegment = segmentOf(url.filter);
  // The address can name one that somebody has deleted.
  const isGone = segmentList && chosenSegment && !segments.some(({ id }) => id === chosenSegment);
  const chosenTag = url.filter.startsWith('tag:') ? url.filter.slice(4) : undefined;
  const chosenLanguage = url.filter.startsWith('language:') ? url.filter.slice(9) : undefined;
  const language =
    chosenLanguage &&
    (chosenLanguage === 'none' ? t('contacts.languageUnknown') : languageName(chosenLanguage));
  // A tag in the address stays a choice when no contact has it any more.
  const known = chosenTag === undefined || tags.some(({ tag }) => tag === chosenTag);
  const shownTags = known ? tags : [{ tag: chosenTag, contacts: 0 }, ...tags];
  // Filters are folded up there, and what a segment is for stays in sight.
  const isNarrow = useMediaQuery('(max-width: 767px)');
  // Two lines of a small screen have no columns and one density.
  const isSmall = useMediaQuery('(max-width: 639px)');
  const write =
    chosenSegment && !isGone && mayWriteToMany() ? (
      <Button icon={<MessageSquare aria-hidden />} onClick={() => writeTo({ filter: filterWords(wanted) })}>
        {t('contacts.message')}
      </Button>
    ) : null;
  return (
    <Toolbar
      search={<SearchInput {...searchField} placeholder={t('contacts.search')} />}
      found={
        <>
          <FoundCount contacts={contacts} />
          {isNarrow ? write : null}
        </>
      }
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
          ...(language ? [{ value: url.filter, label: t('contacts.filterLanguage', { language }) }] : []),
          ...(importOf(url.filter) ? [{ value: url.filter, label: t('contacts.filterImport') }] : []),
          ...(campaignOf(url.filter) ? [{ value: url.filter, label: t('contacts.filterCampaign') }] : []),
          ...(reportOf(url.filter) ? [{ value: url.filter, label: t('contacts.filterReport') }] : []),
          ...(isGone ? [{ value: url.filter, label: t('contacts.segment.deletedOption') }] : []),
          ...shownTags.map(({ tag, contacts }) => ({
            value: `tag:${tag}`,
            label: `${tag} (${formatNumber(contacts)})`,
          })),
        ]}
      />
      {isNarrow ? null : write}
      <SegmentsMenu
        segments={segments}
        filter={url.filter}
        canSaveFilter={filterRules(wanted, segments) !== undefined}
        onWrite={mayWriteToMany() ? ({ id }) => writeTo({ filter: { segment: id } }) : undefined}
        onShow={(filter) => setUrl({ filter })}
        onOpen={(segment) => setUrl({ dialog: 'segment', segment }, { push: true })}
      />
      {isSmall ? null : <ViewMenu layout={layout} />}
      <ToolsMenu onOpen={(dialog) => setUrl({ dialog }, { push: true })} />
    </Toolbar>
  );
}

/** How many contacts match, beside the search that found them. */
function FoundCount({ contacts: { wanted, isGone, searched } }: { contacts: ContactList }) {
  const { data } = useQuery({
    ...orpc.contacts.count.queryOptions({ input: filterWords(wanted) }),
    placeholderData: whileReachable,
  });
  if (!data || isGone || searched !== undefined) return null;
  return (
    <p role="status" className="text-sm whitespace-nowrap text-muted tabular-nums max-md:-mt-1 max-md:w-full">
      {t('contacts.filterCount', { n: data.count })}
    </p>
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
      trigger={
        <Button icon={<Ellipsis aria-hidden />} iconOnMedium title={t('contacts.tools')}>
          {t('contacts.tools')}
        </Button>
      }
      entries={entries}
    />
  );
}
