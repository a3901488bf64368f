import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { activeLocale, t } from '../../messages.ts';
import { classNames } from '../../../ui/class-names.ts';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import { Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { emojiGroups, findEmoji, loadEmoji, type Emoji, type EmojiGroup } from './emoji-data.ts';
import { noteEmoji, readLastEmoji } from './last-emoji.ts';

/** In a row of the grid. */
const COLUMNS = 8;
const signOfGroup: Record<EmojiGroup, string> = {
  ...{ smileys: '😀', people: '👋', nature: '🐱', food: '🍎', travel: '✈️' },
  ...{ activities: '⚽', objects: '💡', symbols: '❤️', flags: '🏁' },
};

/** All emoji by group and by name; arrow keys move in the grid, Enter takes one. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState<EmojiGroup | 'last'>(readLastEmoji().length > 0 ? 'last' : 'smileys');
  const [active, setActive] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const locale = activeLocale();
  const { data: all } = useQuery({
    queryKey: ['emoji', locale],
    queryFn: () => loadEmoji(locale),
    staleTime: Infinity,
    networkMode: 'always',
  });
  const shown = all ? choose(all, search.trim(), group) : [];
  useEffect(() => {
    grid.current?.scrollTo?.({ top: 0 });
    setActive(0);
  }, [search, group]);

  function pick({ emoji }: Emoji) {
    noteEmoji(emoji);
    onPick(emoji);
  }

  function move(event: KeyboardEvent) {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const step = { ArrowRight: rtl, ArrowLeft: -rtl, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? shown.length - 1 : active + (step ?? 0);
    if ((step === undefined && !['Home', 'End'].includes(event.key)) || !shown[next]) return;
    event.preventDefault();
    setActive(next);
    grid.current?.querySelectorAll<HTMLElement>('button')[next]?.focus();
  }

  return (
    <div className="flex w-74 max-w-full flex-col gap-2">
      <SearchInput value={search} onChange={setSearch} placeholder={t('writing.emoji.search')} />
      {search.trim() === '' ? (
        <div role="group" aria-label={t('writing.emoji.groups')} className="flex justify-between">
          {(['last', ...emojiGroups] as const).map((value) => (
            <button
              key={value}
              type="button"
              title={t(`writing.emoji.group.${value}`)}
              aria-label={t(`writing.emoji.group.${value}`)}
              aria-pressed={group === value}
              onClick={() => setGroup(value)}
              className={classNames(
                'grid size-7 place-items-center rounded-md text-base hover:bg-hover',
                group === value && 'bg-selected inset-ring inset-ring-primary',
              )}
            >
              <span aria-hidden>{value === 'last' ? '🕘' : signOfGroup[value]}</span>
            </button>
          ))}
        </div>
      ) : null}
      {all ? (
        <div
          ref={grid}
          role="toolbar"
          aria-label={t('writing.emoji')}
          onKeyDown={move}
          className="grid h-56 auto-rows-min grid-cols-8 content-start overflow-y-auto"
        >
          {shown.map((one, index) => (
            <button
              key={one.emoji}
              type="button"
              title={one.words}
              aria-label={one.words}
              tabIndex={index === active ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={() => pick(one)}
              className="grid aspect-square place-items-center rounded-md text-xl hover:bg-hover focus-visible:-outline-offset-2"
            >
              {one.emoji}
            </button>
          ))}
          {shown.length === 0 ? (
            <p role="status" className="col-span-full py-6 text-center text-sm text-muted">
              {t(search.trim() === '' ? 'writing.emoji.noneYet' : 'writing.emoji.none')}
            </p>
          ) : null}
        </div>
      ) : (
        <SkeletonRegion className="h-56">
          <Skeleton className="h-full" />
        </SkeletonRegion>
      )}
    </div>
  );
}

function choose(all: readonly Emoji[], search: string, group: EmojiGroup | 'last'): Emoji[] {
  if (search !== '') return findEmoji(all, search).slice(0, 200);
  if (group !== 'last') return all.filter((one) => one.group === group);
  const byEmoji = new Map(all.map((one) => [one.emoji, one]));
  return readLastEmoji().flatMap((emoji) => byEmoji.get(emoji) ?? []);
}
