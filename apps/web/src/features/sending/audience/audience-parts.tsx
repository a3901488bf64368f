import { TriangleAlert, X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useIsOffline } from '../../../ui/connection.tsx';
import { t } from '../../../shared/messages.ts';
import { useChosenCount } from './audience-queries.ts';
import {
  clearChosen,
  isSelectionEmpty,
  removeFilter,
  segmentsIn,
  type AudienceSelection,
  type ChosenFilter,
} from './audience-selection.ts';
import { describeFilter, type RuleNames } from './audience-words.ts';
import { useFilterNames } from './filter-names.ts';
import { SegmentDescriptions } from './segment-descriptions.tsx';
import { useKnownSegments, type KnownSegment } from './segment-queries.ts';

export function ChosenCount({ selection }: { selection: AudienceSelection }) {
  const { count, isCounting } = useChosenCount(selection);
  const waiting = useIsOffline() ? t('sending.audience.countOffline') : t('sending.audience.counting');
  return (
    <p role="status" className="font-medium tabular-nums" aria-busy={isCounting || undefined}>
      {count === undefined ? waiting : t('sending.audience.selected', { n: count })}
    </p>
  );
}

/** How many are chosen, and what the choice is made of; each part can be taken out. */
export function AudienceParts({
  selection,
  onChange,
  hasCount,
}: {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
  hasCount: boolean;
}) {
  const segments = useKnownSegments(segmentsIn(selection));
  const { filters, picked, excluded } = selection;
  const names = useFilterNames(filters);
  return (
    <div className="flex flex-col gap-2">
      <div className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2', hasCount && 'min-h-9')}>
        {hasCount ? <ChosenCount selection={selection} /> : null}
        {isSelectionEmpty(selection) ? null : (
          <>
            <ul className="flex min-w-32 flex-1 flex-wrap gap-1.5">
              {filters.map((filter) => {
                const part = describePart(filter, segments, names);
                return (
                  <Part
                    key={filter.segmentId ?? JSON.stringify(filter)}
                    {...part}
                    onRemove={() => onChange(removeFilter(selection, filter))}
                  />
                );
              })}
              {picked.size > 0 && filters.length > 0 ? (
                <Part
                  label={t('sending.audience.picked', { n: picked.size })}
                  onRemove={() => onChange({ ...selection, picked: new Set() })}
                />
              ) : null}
              {excluded.size > 0 ? (
                <Part
                  label={t('sending.audience.excluded', { n: excluded.size })}
                  onRemove={() => onChange({ ...selection, excluded: new Map() })}
                />
              ) : null}
            </ul>
            <Button variant="ghost" size="small" onClick={() => onChange(clearChosen(selection))}>
              {t('sending.audience.clear')}
            </Button>
          </>
        )}
      </div>
      <SegmentDescriptions segments={segments} isLive />
    </div>
  );
}

function describePart(filter: ChosenFilter, segments: readonly KnownSegment[], names: RuleNames) {
  const segment = segments.find(({ id }) => id === filter.segmentId);
  if (!segment) return { label: describeFilter(filter, names) };
  const { id, name, isDeleted } = segment;
  const label = isDeleted
    ? t('sending.audience.byDeletedSegment', { name })
    : describeFilter({ segmentId: id, name });
  return { label, isDeleted };
}

function Part({
  label,
  isDeleted = false,
  onRemove,
}: {
  label: string;
  isDeleted?: boolean;
  onRemove: () => void;
}) {
  return (
    <li
      className={classNames(
        'flex h-7 max-w-full items-center rounded-full pl-2.5 text-sm',
        isDeleted ? 'bg-danger-soft text-danger' : 'bg-neutral-soft',
      )}
    >
      {isDeleted ? <TriangleAlert aria-hidden className="mr-1.5 size-3.5 shrink-0" /> : null}
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={t('sending.audience.removePart', { part: label })}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
