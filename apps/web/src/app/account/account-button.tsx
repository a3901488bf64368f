import { Suspense, useRef, useState } from 'react';
import { loadMessages, t } from '../../shared/messages.ts';
import type { SessionUser } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { RoleBadge } from '../../ui/badge.tsx';
import { lazyPart } from '../../ui/load-file.ts';

const AccountMenu = lazyPart(async () => {
  await loadMessages('palette');
  return (await import('./account-menu.tsx')).AccountMenu;
});

/** Who is signed in, and what is theirs to choose. */
export function AccountButton({
  user,
  onLeave,
  onShortcuts,
}: {
  user: SessionUser;
  onLeave: () => void;
  onShortcuts: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  // From the first press on the menu holds the button and opens by it.
  const [isWanted, setWanted] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const name = `${user.firstName} ${user.lastName}`.trim();
  function begin() {
    setWanted(true);
    setOpen(true);
  }
  const button = (
    <button
      ref={trigger}
      type="button"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={isWanted ? undefined : begin}
      className="flex w-full items-center gap-3 rounded-card px-1 py-0.5 text-left transition-colors hover:bg-hover"
    >
      <Avatar name={name} image={user.avatar} />
      <span className="min-w-0 flex-1">
        <span className="block truncate leading-5 font-medium" title={name}>
          {name}
        </span>
        <RoleBadge role={user.role}>{t(`common.role.${user.role}`)}</RoleBadge>
      </span>
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu
        {...{ trigger: button, isOpen, onLeave, onShortcuts }}
        onPlaced={() => trigger.current?.focus()}
        onOpenChange={setOpen}
      />
    </Suspense>
  );
}
