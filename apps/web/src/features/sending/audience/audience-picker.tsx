import { Suspense, useState } from 'react';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { Button } from '../../../ui/button.tsx';
import { lazyDetail } from '../../../ui/load-file.ts';
import { MoreOptions } from '../../../ui/controls/more-options.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import { notify } from '../../../ui/toast.ts';
import { t } from '../../../shared/messages.ts';
import { OfflineSearchNote } from '../../../shared/offline/offline-search-note.tsx';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { AudienceParts } from './audience-parts.tsx';
import { useMatchingCount, useNamedByServer, usePickableContacts } from './audience-queries.ts';
import {
  addFilter,
  hasFilter,
  isChosen,
  removeFilter,
  toggleContact,
  type AudienceSelection,
} from './audience-selection.ts';
import { PickListSkeleton } from './pick-list-skeleton.tsx';
import type { Segment } from './segment-queries.ts';
import { SegmentPicker } from './segment-picker.tsx';
import { TagButtons, type TagCount } from './tag-buttons.tsx';

const ContactPickList = lazyDetail(async () => (await import('./contact-pick-list.tsx')).ContactPickList);
const LeftOutFields = lazyDetail(async () => (await import('./left-out-fields.tsx')).LeftOutFields);

export interface AudiencePickerProps {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
  /** A lower list, for the picker inside a form. */
  compact?: boolean | undefined;
  /** The page says beside its button how many are chosen. */
  hasCountElsewhere?: boolean | undefined;
}

/** Chooses people by tag, by segment, by search and by hand, as well of two contacts as of a million. */
export function AudiencePicker({
  selection,
  onChange,
  compact = false,
  hasCountElsewhere = false,
}: AudiencePickerProps) {
  const [search, setSearch] = useState('');
  const term = useDebounced(search.trim());
  const list = usePickableContacts(term);
  const named = useNamedByServer(selection, list.contacts);
  const filter: AudienceFilter = term === '' ? {} : { search: term };

  function addTag({ tag, count }: TagCount) {
    onChange(addFilter(selection, { tags: [tag] }));
    notify.info(t('sending.audience.tagAdded', { n: count, tag }));
  }

  function addSegment({ id, name }: Segment, count: number | undefined) {
    onChange(addFilter(selection, { segmentId: id, name }));
    if (count !== undefined) notify.info(t('sending.audience.segmentAdded', { n: count, name }));
  }

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TagButtons
        isOn={(tag) => hasFilter(selection, { tags: [tag] })}
        onAdd={addTag}
        onRemove={(tag) => onChange(removeFilter(selection, { tags: [tag] }))}
      />
      <SegmentPicker
        isOn={(segmentId) => hasFilter(selection, { segmentId, name: '' })}
        onAdd={addSegment}
        onRemove={({ id, name }) => onChange(removeFilter(selection, { segmentId: id, name }))}
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          value={search}
          onChange={setSearch}
          placeholder={t('sending.audience.search')}
          className="min-w-52 flex-1"
        />
        <SelectMatching
          filter={filter}
          isOn={hasFilter(selection, filter)}
          onAdd={() => onChange(addFilter(selection, filter))}
          onRemove={() => onChange(removeFilter(selection, filter))}
        />
      </div>
      <OfflineSearchNote searched={list.searched} />
      <Suspense fallback={<PickListSkeleton compact={compact} />}>
        <ContactPickList
          list={list}
          isSearching={term !== ''}
          isChosen={(contact) => isChosen(selection, contact, named)}
          compact={compact}
          onToggle={(contact) => onChange(toggleContact(selection, contact, named))}
        />
      </Suspense>
      <MoreOptions
        label={t('sending.leftOut.title')}
        isUsed={selection.except.length > 0 || selection.restDays !== null}
      >
        <Suspense fallback={<Skeleton className="h-16" />}>
          <LeftOutFields selection={selection} onChange={onChange} />
        </Suspense>
      </MoreOptions>
      <AudienceParts selection={selection} onChange={onChange} hasCount={!hasCountElsewhere} />
    </div>
  );
}

function SelectMatching({
  filter,
  isOn,
  onAdd,
  onRemove,
}: {
  filter: AudienceFilter;
  isOn: boolean;
  onAdd: () => void;
  onRemove: () => void;
}) {
  const count = useMatchingCount(filter);
  if (!count) return null;
  const words = isOn
    ? t('sending.audience.deselectMatching', { n: count })
    : filter.search
      ? t('sending.audience.selectMatching', { n: count })
      : t('sending.audience.selectAll', { n: count });
  return (
    <Button aria-pressed={isOn} onClick={isOn ? onRemove : onAdd}>
      {words}
    </Button>
  );
}
