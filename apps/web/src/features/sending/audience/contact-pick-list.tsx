import { formatPhone } from '@app/domain/contacts/format-phone';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { errorMessage } from '../../../shared/error-message.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { Tags } from '../../../shared/contacts/tags.tsx';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import type { usePickableContacts } from './audience-queries.ts';
import type { PickableContact } from './audience-selection.ts';
import { listFrame, PickListSkeleton } from './pick-list-skeleton.tsx';
import { isPlainEnter } from '../../../ui/controls/plain-enter.ts';

const ROW = 52;

export interface ContactPickListProps {
  list: ReturnType<typeof usePickableContacts>;
  isSearching: boolean;
  isChosen: (contact: PickableContact) => boolean;
  compact: boolean;
  onToggle: (contact: PickableContact) => void;
}

/** A list box of contacts; only the rows in sight exist. Arrow keys move, the space bar chooses. */
export function ContactPickList({ list, isSearching, isChosen, compact, onToggle }: ContactPickListProps) {
  const { contacts, hasNextPage, fetchNextPage, isFetchingNextPage } = list;
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (index) => contacts[index]?.id ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? -1;

  useEffect(() => {
    // A screen ahead, so that scrolling does not have to wait.
    if (hasNextPage && !isFetchingNextPage && lastShown >= contacts.length - 20) void fetchNextPage();
  }, [lastShown, contacts.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (list.isPending && list.searched === undefined) return <PickListSkeleton compact={compact} />;
  if (list.isError && contacts.length === 0) {
    return (
      <div className={listFrame}>
        <ErrorState text={errorMessage(list.error)} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  if (list.searched === 0) return null;
  if (contacts.length === 0) {
    return (
      <div className={listFrame}>
        <EmptyState
          icon={<Users />}
          title={t('sending.audience.none')}
          text={isSearching ? t('sending.audience.noneMatching') : t('sending.audience.noneText')}
          action={
            isSearching ? undefined : (
              <ButtonLink to={paths.contacts}>{t('sending.audience.goToContacts')}</ButtonLink>
            )
          }
        />
      </div>
    );
  }

  const current = Math.min(active, contacts.length - 1);

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + 7,
      PageUp: current - 7,
      Home: 0,
      End: contacts.length - 1,
    };
    const target = moves[event.key];
    const contact = contacts[current];
    if (target !== undefined) {
      const next = Math.max(0, Math.min(contacts.length - 1, target));
      setActive(next);
      virtual.scrollToIndex(next);
    } else if ((event.key === ' ' || isPlainEnter(event)) && contact) onToggle(contact);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={box}
      role="listbox"
      aria-label={t('sending.audience.list')}
      aria-multiselectable
      aria-activedescendant={contacts[current] ? optionId(contacts[current]) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={classNames(
        listFrame,
        'group/list overflow-y-auto overscroll-contain focus-visible:-outline-offset-2',
        compact ? 'max-h-[16.25rem]' : 'max-h-[min(26rem,60dvh)]',
      )}
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const contact = contacts[item.index];
          return contact ? (
            <div
              key={item.key}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${item.start}px)` }}
            >
              <ContactOption
                contact={contact}
                position={item.index + 1}
                chosen={isChosen(contact)}
                active={item.index === current}
                onToggle={() => {
                  setActive(item.index);
                  onToggle(contact);
                }}
              />
            </div>
          ) : null;
        })}
      </div>
      {list.isError ? (
        <div className="flex items-center justify-between gap-3 p-3 text-sm text-danger">
          {errorMessage(list.error)}
          <Button size="small" onClick={() => void fetchNextPage()}>
            {t('ui.retry')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function ContactOption({
  contact,
  position,
  chosen,
  active,
  onToggle,
}: {
  contact: PickableContact;
  position: number;
  chosen: boolean;
  active: boolean;
  onToggle: () => void;
}) {
  const { name, phone, email, tags, status, optedOutAt } = contact;
  return (
    <div
      id={optionId(contact)}
      role="option"
      aria-selected={chosen}
      aria-posinset={position}
      aria-setsize={-1}
      onClick={onToggle}
      className={classNames(
        'flex h-full cursor-pointer items-center gap-3 border-b border-border px-3 transition-colors',
        chosen ? 'bg-primary-soft' : 'hover:bg-hover',
        active && 'group-focus-visible/list:inset-ring-2 group-focus-visible/list:inset-ring-(--ring)',
      )}
    >
      <span
        aria-hidden
        className={classNames(
          'grid size-[18px] shrink-0 place-items-center rounded border',
          chosen ? 'border-primary bg-primary text-on-primary' : 'border-control bg-raised',
        )}
      >
        {chosen ? <CheckMark /> : null}
      </span>
      <Avatar name={name} size="small" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-sm text-muted tabular-nums">
          {[phone && formatPhone(phone), email].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="hidden min-w-0 max-w-[45%] items-center gap-1 overflow-hidden sm:flex">
        {tags.length > 0 ? <Tags tags={tags} isPressed /> : null}
      </span>
      {status === 'blocked' ? (
        <Badge tone="danger">{t('sending.audience.blocked')}</Badge>
      ) : optedOutAt ? (
        <Badge tone="warning">{t('sending.audience.optedOut')}</Badge>
      ) : null}
    </div>
  );
}

function CheckMark() {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5" fill="none" stroke="currentColor" strokeWidth="2.5">
      <path d="M3.5 8.5l3 3 6-7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

function optionId({ id }: PickableContact): string {
  return `contact-option-${id}`;
}
