import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Filter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { describeRules } from './audience-words.ts';
import { useRuleNames, useSegments, type Segment } from './segment-queries.ts';

/** So many are counted and shown at once; the search finds the others. */
const SHOWN = 20;
const SEARCHABLE_FROM = 8;

export interface SegmentPickerProps {
  isOn: (segmentId: string) => boolean;
  /** `count` is undefined while it is not known. */
  onAdd: (segment: Segment, count: number | undefined) => void;
  onRemove: (segment: Segment) => void;
}

/** A button that opens the saved segments: each with its rules in words and the number of its people. */
export function SegmentPicker(props: SegmentPickerProps) {
  return (
    <div role="group" aria-label={t('sending.segments.add')} className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden className="mr-1 text-sm text-muted">
        {t('sending.segments.add')}
      </span>
      <Popover
        align="start"
        className="flex max-h-[min(28rem,var(--available-height))] w-[28rem] flex-col p-0!"
        trigger={
          <Button size="small" icon={<Filter aria-hidden />}>
            {t('sending.segments.choose')}
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <SegmentList {...props} />
      </Popover>
    </div>
  );
}

function SegmentList(props: SegmentPickerProps) {
  const { data, error, isPending, refetch } = useSegments();
  const [search, setSearch] = useState('');
  // As it was when the list opened: no row moves away under the pointer.
  const [wasOn] = useState(() => props.isOn);
  const ruleNames = useRuleNames((data?.items ?? []).map(({ rules }) => rules));
  if (isPending) {
    return (
      <SkeletonRegion className="grid gap-4 p-4">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </SkeletonRegion>
    );
  }
  if (error) return <ErrorState className="py-8" text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (data.items.length === 0) {
    return (
      <EmptyState
        icon={<Filter />}
        title={t('sending.segments.none')}
        text={t('sending.segments.noneText')}
        action={<ButtonLink to={paths.contacts}>{t('sending.audience.goToContacts')}</ButtonLink>}
      />
    );
  }
  const term = search.trim().toLowerCase();
  const found = data.items.filter(({ name }) => name.toLowerCase().includes(term));
  // What is chosen stays in sight, also far down in the alphabet.
  const shown = found.toSorted((a, b) => Number(wasOn(b.id)) - Number(wasOn(a.id))).slice(0, SHOWN);
  return (
    <>
      {data.items.length >= SEARCHABLE_FROM ? (
        <div className="border-b border-border p-3">
          <SearchInput
            value={search}
            onChange={setSearch}
            placeholder={t('sending.segments.search')}
            className="w-full"
          />
        </div>
      ) : null}
      {found.length === 0 ? (
        <p role="status" className="p-4 text-muted">
          {t('sending.segments.noneMatching')}
        </p>
      ) : (
        <ul aria-label={t('sending.segments.list')} className="overflow-y-auto overscroll-contain p-1.5">
          {shown.map((segment) => (
            <SegmentOption key={segment.id} {...props} segment={segment} ruleNames={ruleNames} />
          ))}
        </ul>
      )}
      {found.length > shown.length ? (
        <p className="border-t border-border px-4 py-2.5 text-sm text-muted">
          {t('sending.segments.more', { n: found.length - shown.length })}
        </p>
      ) : null}
    </>
  );
}

function SegmentOption({
  segment,
  ruleNames,
  isOn,
  onAdd,
  onRemove,
}: SegmentPickerProps & { segment: Segment; ruleNames: ReadonlyMap<string, string> }) {
  const { id, name, rules } = segment;
  const { data, isError } = useQuery(
    orpc.campaigns.countAudience.queryOptions({
      input: { audience: { filter: { segmentId: id } } },
      staleTime: 30_000,
    }),
  );
  return (
    <li className="flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
      <Checkbox
        className="min-w-0 flex-1"
        label={<span className="font-medium wrap-anywhere">{name}</span>}
        hint={<span className="wrap-anywhere">{describeRules(rules, ruleNames)}</span>}
        checked={isOn(id)}
        onChange={(event) => (event.target.checked ? onAdd(segment, data?.chosen) : onRemove(segment))}
      />
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {data ? (
          <>
            <span aria-hidden>{formatNumber(data.chosen)}</span>
            <span className="sr-only">{t('sending.segments.people', { n: data.chosen })}</span>
          </>
        ) : isError ? (
          t('sending.segments.notCounted')
        ) : (
          <Skeleton className="mt-1 h-3.5 w-10" />
        )}
      </span>
    </li>
  );
}
