import { Check, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { classNames } from '../../ui/class-names.ts';
import { Input } from '../../ui/input.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { isPlainEnter } from '../../ui/controls/plain-enter.ts';

export type Pick = {
  id: string;
  name: string;
  icon?: ReactNode;
  hint?: string | undefined;
  isChosen?: boolean;
};

/** A few to some hundred things to choose from by typing and arrows, as a list that is open from the start. */
export function PickList({
  label,
  picks,
  onPick,
  onAdd,
  emptyText,
}: {
  label: string;
  picks: readonly Pick[] | undefined;
  onPick: (pick: Pick) => void;
  /** Offers to add what was typed and is not there. */
  onAdd?: ((name: string) => void) | undefined;
  emptyText: string;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = text.replaceAll(/\s+/g, ' ').trim();
  const isLike = (name: string) => name.toLowerCase().includes(wanted.toLowerCase());
  const found: Pick[] = (picks ?? []).filter(({ name }) => isLike(name));
  const isNew =
    onAdd !== undefined &&
    wanted !== '' &&
    !picks?.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const count = found.length + (isNew ? 1 : 0);
  const active = Math.min(place, count - 1);
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function choose(at: number) {
    const pick = found[at];
    if (pick) onPick(pick);
    else if (isNew) onAdd(wanted);
    setText('');
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) {
      event.preventDefault();
      setPlace((active + step + count) % count);
    } else if (isPlainEnter(event) && count > 0) {
      event.preventDefault();
      choose(active);
    }
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
        placeholder={label}
        value={text}
        autoComplete="off"
        autoFocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      {picks === undefined ? (
        <SkeletonRegion className="grid gap-2 p-1">
          <Skeleton className="w-48" />
          <Skeleton className="w-40" />
        </SkeletonRegion>
      ) : null}
      <div id={id} ref={list} role="listbox" aria-label={label} className="max-h-72 overflow-y-auto">
        {found.map((pick, at) => (
          <Option
            key={pick.id}
            id={`${id}-${at}`}
            pick={pick}
            isActive={at === active}
            onPress={() => choose(at)}
          />
        ))}
        {isNew ? (
          <Option
            id={`${id}-${found.length}`}
            pick={{
              id: 'new',
              name: t('teamwork.addLabel', { name: wanted }),
              icon: <Plus aria-hidden className="size-4" />,
            }}
            isActive={active === found.length}
            onPress={() => choose(found.length)}
          />
        ) : null}
      </div>
      {picks !== undefined && count === 0 ? (
        <p role="status" className="px-2 pb-1 text-sm text-muted">
          {emptyText}
        </p>
      ) : null}
    </div>
  );
}

function Option({
  id,
  pick: { name, icon, hint, isChosen },
  isActive,
  onPress,
}: {
  id: string;
  pick: Pick;
  isActive: boolean;
  onPress: () => void;
}) {
  return (
    // The field above has the keyboard: arrows move the mark here.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen === true}
      data-active={isActive || undefined}
      className={classNames(
        'flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2 py-1 outline-none select-none hover:bg-hover',
        isActive && 'bg-hover',
      )}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onPress();
      }}
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {name}
        </span>
        {hint ? <span className="block truncate text-sm text-muted">{hint}</span> : null}
      </span>
      {isChosen ? <Check aria-hidden className="size-4 shrink-0 text-primary-text" /> : null}
    </div>
  );
}
