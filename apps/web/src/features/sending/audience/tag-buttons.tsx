import { useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { orpc } from '../../../shared/api.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';

export interface TagCount {
  tag: string;
  count: number;
}

const SHOWN = 12;

/** One button per tag: it adds everybody who has the tag, pressed again it takes the tag out. */
export function TagButtons({
  isOn,
  onAdd,
  onRemove,
}: {
  isOn: (tag: string) => boolean;
  onAdd: (tag: TagCount) => void;
  onRemove: (tag: string) => void;
}) {
  const { data, isPending } = useQuery(orpc.contacts.listTags.queryOptions({ input: {} }));
  const [showsAll, setShowsAll] = useState(false);
  if (isPending) return <Skeleton className="h-8 w-72" />;
  const tags: readonly TagCount[] = (data?.items ?? []).map(({ tag, contacts }) => ({
    tag,
    count: contacts,
  }));
  if (tags.length === 0) return null;
  // A tag that is on stays in sight even if it is a rare one.
  const shown = showsAll ? tags : tags.filter(({ tag }, index) => index < SHOWN || isOn(tag));
  const hidden = tags.length - shown.length;
  return (
    <div role="group" aria-label={t('sending.audience.tags')} className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden className="mr-1 text-sm text-muted">
        {t('sending.audience.tags')}
      </span>
      {shown.map(({ tag, count }) => {
        const on = isOn(tag);
        return (
          <button
            key={tag}
            type="button"
            aria-pressed={on}
            onClick={() => (on ? onRemove(tag) : onAdd({ tag, count }))}
            className={classNames(
              'inline-flex h-7 max-w-60 items-center gap-1.5 rounded-full border px-2.5 text-sm transition-colors',
              on
                ? 'border-primary bg-primary-soft font-medium text-primary-text'
                : 'border-border bg-raised hover:border-control hover:bg-hover',
            )}
          >
            {on ? (
              <Check aria-hidden className="size-3.5 shrink-0" />
            ) : (
              <Plus aria-hidden className="size-3.5 shrink-0 text-muted" />
            )}
            <span className="truncate">{tag}</span>
            <span className="text-xs text-muted tabular-nums">{formatNumber(count)}</span>
          </button>
        );
      })}
      {hidden > 0 || showsAll ? (
        <Button variant="ghost" size="small" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('sending.audience.fewerTags') : t('sending.audience.moreTags', { n: hidden })}
        </Button>
      ) : null}
    </div>
  );
}
