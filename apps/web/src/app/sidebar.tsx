import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Globe, LogOut, MessageCircle, Search, X } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { useBusiness } from '../shared/business-profile/use-business.ts';
import { formatCapped } from '../shared/formats.ts';
import { loadMessages, t } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';
import { can, signOut } from '../shared/session.ts';
import type { SessionUser } from '../shared/session.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { lazyDetail } from '../ui/load-file.ts';
import { notify } from '../ui/toast.ts';
import { AccountButton } from './account/account-button.tsx';
import { navigation } from './features.tsx';
import type { NavigationItem } from './gather-features.ts';
import { useNavigationCounts } from './use-navigation-counts.ts';
import { WorkspaceSwitch } from './workspaces/workspace-switch.tsx';

const StatusBox = lazyDetail(async () => {
  await loadMessages('health');
  return (await import('./status-box.tsx')).StatusBox;
});

/** More would make the entry's name give way. */
const MOST_COUNTED = 99;

/** Beside the page on wide screens; a drawer with an overlay on small ones. */
export function Sidebar({
  user,
  wide,
  open,
  onClose,
  onPalette,
  onLanguage,
  onShortcuts,
  bell,
  presence,
}: {
  user: SessionUser;
  wide: boolean;
  open: boolean;
  onClose: () => void;
  onPalette: () => void;
  onLanguage: () => void;
  onShortcuts: () => void;
  /** What the person is told of. */
  bell?: ReactNode;
  /** Who else is here. */
  presence?: ReactNode;
}) {
  const aside = useRef<HTMLElement>(null);
  const hidden = !wide && !open;

  useEffect(() => {
    if (wide || !open) return undefined;
    const before = document.activeElement;
    aside.current?.querySelector<HTMLElement>('a, button')?.focus();
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') onClose();
    }
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [wide, open, onClose]);

  return (
    <>
      {open && !wide ? (
        <div
          aria-hidden
          className="fixed inset-0 layer-drawer bg-overlay transition-opacity duration-150 starting:opacity-0"
          onClick={onClose}
        />
      ) : null}
      <aside
        id="sidebar"
        ref={aside}
        inert={hidden}
        className={classNames(
          'flex w-64 shrink-0 flex-col overflow-y-auto border-r border-border bg-raised',
          !wide && 'fixed inset-y-0 left-0 layer-drawer transition-transform duration-200',
          hidden ? '-translate-x-full' : !wide && 'shadow-raised',
        )}
      >
        <div className="flex shrink-0 items-center gap-2 px-4 pt-4 pb-3">
          <Link
            to={paths.landing}
            activeOptions={{ exact: true }}
            onClick={onClose}
            className="flex min-w-0 flex-1 items-center gap-3 rounded-md"
          >
            <BrandMark />
            <span className="min-w-0">
              <span className="block leading-5 font-semibold">{t('common.brand')}</span>
              <span className="block text-sm text-muted">{t('common.brandSubtitle')}</span>
            </span>
          </Link>
          {bell}
          {wide ? null : (
            <IconButton label={t('common.closeMenu')} onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          )}
        </div>
        <WorkspaceSwitch />
        <button
          type="button"
          onClick={() => {
            onClose();
            onPalette();
          }}
          className="mx-3 mb-2 flex h-9 shrink-0 items-center gap-2 rounded-card border border-border bg-surface px-3 text-muted transition-colors hover:bg-hover"
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 truncate text-left">{t('common.palette.open')}</span>
          <Kbd>{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>
        </button>
        {/* On a low screen, or one that is zoomed, the whole bar scrolls; otherwise its foot stays in sight. */}
        <nav
          aria-label={t('common.mainNavigation')}
          className="min-h-48 flex-1 overflow-y-auto px-3 pb-3 [@media(max-height:640px)]:flex-none [@media(max-height:640px)]:overflow-visible"
        >
          <NavigationList onNavigate={onClose} />
        </nav>
        <div className="flex shrink-0 flex-col gap-2.5 border-t border-border p-3">
          {presence}
          <Suspense fallback={<div aria-hidden className="h-20" />}>
            <StatusBox />
          </Suspense>
          <UserBlock
            user={user}
            onClose={onClose}
            onLanguage={() => {
              onClose();
              onLanguage();
            }}
            onShortcuts={() => {
              onClose();
              onShortcuts();
            }}
          />
        </div>
      </aside>
    </>
  );
}

/** The logo of the business where it has one. */
function BrandMark() {
  const image = useBusiness()?.image;
  return (
    <span
      aria-hidden
      className={classNames(
        'grid size-9 shrink-0 place-items-center overflow-hidden rounded-card',
        image ? 'border border-border bg-white' : 'bg-primary text-on-primary',
      )}
    >
      {image ? (
        <img src={image} alt="" className="size-full object-cover" />
      ) : (
        <MessageCircle className="size-5" />
      )}
    </span>
  );
}

function NavigationList({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation();
  const counts = useNavigationCounts();
  return (
    <ul className="flex flex-col">
      {navigation
        .filter((item) => item.access.every((permission) => can(permission)))
        .map((item) => (
          <NavigationEntry
            key={item.path}
            item={item}
            active={
              pathname === item.path ||
              (item.path !== paths.dashboard && pathname.startsWith(`${item.path}/`))
            }
            count={item.count ? counts[item.count] : 0}
            onNavigate={onNavigate}
          />
        ))}
    </ul>
  );
}

function NavigationEntry({
  item,
  active,
  count,
  onNavigate,
}: {
  item: NavigationItem;
  active: boolean;
  count: number;
  onNavigate: () => void;
}) {
  const navigate = useNavigate();
  function follow(event: MouseEvent) {
    onNavigate();
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    // A page takes a while to draw: the press shows first.
    event.preventDefault();
    afterPaint(() => void navigate({ to: item.path }));
  }
  const said = item.count ? t(`common.navCount.${item.count}`, { n: count }) : undefined;
  return (
    <li className={item.startsGroup ? 'mt-1.5' : undefined}>
      <Link
        to={item.path}
        activeOptions={{ exact: true, includeSearch: false }}
        onClick={follow}
        aria-current={active ? 'page' : undefined}
        className={classNames(
          'flex h-8 items-center gap-3 rounded-card px-3 transition-colors focus-visible:-outline-offset-2 [&_svg]:size-4 [&_svg]:shrink-0',
          active
            ? 'bg-primary-soft font-semibold text-primary-text'
            : 'text-text hover:bg-hover [&_svg]:text-muted',
        )}
      >
        <span aria-hidden>{item.icon}</span>
        <span className="min-w-0 flex-1 truncate">{t(item.label)}</span>
        {count > 0 && item.count ? (
          <span
            title={said}
            className="rounded-full bg-primary px-1.5 text-xs font-semibold text-on-primary tabular-nums"
          >
            <span aria-hidden>{formatCapped(count, MOST_COUNTED)}</span>
            <span className="sr-only">{said}</span>
          </span>
        ) : null}
      </Link>
    </li>
  );
}

function UserBlock({
  user,
  onClose,
  onLanguage,
  onShortcuts,
}: {
  user: SessionUser;
  onClose: () => void;
  onLanguage: () => void;
  onShortcuts: () => void;
}) {
  const [leaving, setLeaving] = useState(false);

  async function leave() {
    setLeaving(true);
    try {
      await signOut();
      onClose();
    } catch {
      notify.error(t('common.signOutFailed'));
    } finally {
      setLeaving(false);
    }
  }

  return (
    <div>
      <AccountButton user={user} onLeave={onClose} onShortcuts={onShortcuts} />
      <div className="mt-1.5 flex">
        <button type="button" disabled={leaving} onClick={() => void leave()} className={footButton}>
          <LogOut aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{t('common.signOut')}</span>
        </button>
        <button type="button" aria-haspopup="dialog" onClick={onLanguage} className={footButton}>
          <Globe aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{t('common.language')}</span>
        </button>
      </div>
    </div>
  );
}

const footButton =
  'flex h-7 min-w-0 flex-auto items-center gap-2 rounded-card px-1.5 text-muted transition-colors hover:bg-hover hover:text-text disabled:opacity-55';

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
