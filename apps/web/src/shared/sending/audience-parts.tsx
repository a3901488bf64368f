import { X } from 'lucide-react';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { Button } from '../../ui/button.tsx';
import { t } from '../messages.ts';
import { useChosenCount } from './audience-queries.ts';
import {
  emptySelection,
  isSelectionEmpty,
  removeFilter,
  type AudienceSelection,
} from './audience-selection.ts';

/** How many are chosen, and what the choice is made of; each part can be taken out. */
export function AudienceParts({
  selection,
  onChange,
}: {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
}) {
  const { count, isCounting } = useChosenCount(selection);
  const { filters, picked, excluded } = selection;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <p role="status" className="font-medium tabular-nums" aria-busy={isCounting || undefined}>
        {count === undefined ? t('sending.audience.counting') : t('sending.audience.selected', { n: count })}
      </p>
      {isSelectionEmpty(selection) ? null : (
        <>
          <ul className="flex min-w-0 flex-1 flex-wrap gap-1.5">
            {filters.map((filter) => (
              <Part
                key={describeFilter(filter)}
                label={describeFilter(filter)}
                onRemove={() => onChange(removeFilter(selection, filter))}
              />
            ))}
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
          <Button variant="ghost" size="small" onClick={() => onChange(emptySelection)}>
            {t('sending.audience.clear')}
          </Button>
        </>
      )}
    </div>
  );
}

export function describeFilter({ search, tags, status }: AudienceFilter): string {
  const parts = [
    ...(tags ?? []).map((tag) => t('sending.audience.byTag', { tag })),
    ...(search ? [t('sending.audience.bySearch', { search })] : []),
    ...(status ? [t('sending.audience.byStatus', { status })] : []),
  ];
  return parts.length === 0 ? t('sending.audience.everybody') : parts.join(' · ');
}

function Part({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <li className="flex h-7 max-w-full items-center rounded-full bg-neutral-soft pl-2.5 text-sm">
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
