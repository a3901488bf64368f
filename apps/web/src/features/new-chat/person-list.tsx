import { UserPlus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '../../shared/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';

export type Person = { id: string; name: string; phone: string | null; status: string };
/** A contact, or a number that is to become one. */
export type Chosen = { id: string } | { phone: string };

const rowStyle =
  'flex w-full items-center gap-3 rounded-card px-2 py-2 text-left hover:bg-hover disabled:opacity-60';

/** Whom to write to; arrows go up and down, Enter chooses. */
export function PersonList({
  people,
  newNumber,
  isBusy,
  emptyText,
  onChoose,
}: {
  people: readonly Person[];
  newNumber: string | null;
  isBusy: boolean;
  emptyText: string;
  onChoose: (person: Chosen) => void;
}) {
  if (people.length === 0 && newNumber === null)
    return <p className="py-6 text-center text-muted">{emptyText}</p>;
  return (
    <ul aria-label={t('newChat.people')} className="-mx-2 max-h-80 overflow-y-auto">
      {newNumber === null ? null : (
        <li>
          <button
            type="button"
            className={rowStyle}
            disabled={isBusy}
            onKeyDown={moveOn}
            onClick={() => onChoose({ phone: newNumber })}
          >
            <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-4">
              <UserPlus aria-hidden />
            </span>
            <span className="min-w-0">
              <span className="block font-medium">{t('newChat.newNumber')}</span>
              <bdi className="block truncate text-sm text-muted tabular-nums">{newNumber}</bdi>
            </span>
          </button>
        </li>
      )}
      {people.map(({ id, name, phone, status }) => (
        <li key={id}>
          <button
            type="button"
            className={rowStyle}
            disabled={isBusy}
            onKeyDown={moveOn}
            onClick={() => onChoose({ id })}
          >
            <Avatar name={name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">
                <bdi>{name}</bdi>
              </span>
              <span className="block truncate text-sm text-muted tabular-nums">{phone ?? '—'}</span>
            </span>
            {status === 'blocked' ? <Badge tone="danger">{t('newChat.blocked')}</Badge> : null}
          </button>
        </li>
      ))}
    </ul>
  );
}

function moveOn(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
  rows[rows.indexOf(event.currentTarget) + step]?.focus();
}
