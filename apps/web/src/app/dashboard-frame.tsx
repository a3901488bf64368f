import { Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import type { FeatureRoute } from '../shared/feature.ts';
import { setTimeZone } from '../shared/formats.ts';
import { connectLiveEvents, disconnectLiveEvents } from '../shared/live/live-events.ts';
import { loadMessages, t } from '../shared/messages.ts';
import { paths } from '../shared/paths.ts';
import { SampleHintPlace } from '../shared/sample/sample-hint-place.tsx';
import { can, hasSessionEnded, ownerHere, useSession } from '../shared/session.ts';
import type { SessionUser } from '../shared/session.ts';
import { IconButton } from '../ui/button.tsx';
import { lazyDialog } from '../ui/overlays/lazy-dialog.tsx';
import { lazyDetail, lazyPart, whenSettled } from '../ui/load-file.ts';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { LoadingText } from './loading-text.tsx';
import { WaitingPage } from './plain-pages/waiting-page.tsx';
import { Sidebar } from './sidebar.tsx';
import { loadPalette } from './palette/load-palette.ts';
import { useShortcuts } from './palette/use-shortcuts.ts';

async function loadPresence() {
  await loadMessages('presence');
  return import('../shared/activity/presence-widget.tsx');
}
const PresenceWidget = lazyDetail(async () => (await loadPresence()).PresenceWidget);
const IdleWatch = lazyDetail(async () => (await loadPresence()).IdleWatch);
const Banners = lazyDetail(async () => (await import('./banners/banners.tsx')).Banners);
const NotificationBell = lazyDetail(async () => {
  await loadMessages('bell');
  return (await import('../shared/notifications/notification-bell.tsx')).NotificationBell;
});
const NotificationList = lazyDialog(async () => {
  await loadMessages('notifications');
  return (await import('../shared/notifications/notification-list.tsx')).NotificationList;
});
// Both draw nothing, so they wait until the page has settled.
const WaitingMessages = lazyDetail(async () => {
  await whenSettled();
  return (await import('../shared/outbox/waiting-messages.tsx')).WaitingMessages;
});
const InboxAlerts = lazyDetail(async () => {
  await whenSettled();
  await loadMessages('contact-panel', 'conversations');
  return (await import('../shared/alerts/inbox-alerts.tsx')).InboxAlerts;
});
const LostWorkspace = lazyDetail(async () => {
  await loadMessages('workspaces');
  return (await import('./workspaces/lost-workspace.tsx')).LostWorkspace;
});
const AccessDenied = lazyPart(async () => (await import('./plain-pages/access-denied.tsx')).AccessDenied);
const CommandPalette = lazyDialog(loadPalette);
const ShortcutsDialog = lazyDialog(async () => {
  await loadMessages('palette', 'writing');
  return (await import('./palette/shortcuts-dialog.tsx')).ShortcutsDialog;
});

const LanguageDialog = lazyDialog(async () => {
  await loadMessages('palette');
  return (await import('./palette/language-dialog.tsx')).LanguageDialog;
});

/** Everything under /dashboard: lets nobody in without a session, then draws sidebar and page. */
export function DashboardFrame() {
  const session = useSession();
  if (session.status === 'loading') return <WaitingPage isUnreachable={session.isUnreachable} />;
  if (session.status === 'signed-out') return <GoToSignIn />;
  if (session.status === 'not-a-member')
    return (
      <Suspense fallback={<LoadingText />}>
        <LostWorkspace lost={session.lost} />
      </Suspense>
    );
  return <SignedInFrame user={session.user} />;
}

/** The sign-in page is another, lighter app; it brings people back to where they wanted to go. */
function GoToSignIn() {
  useEffect(() => {
    const wanted = location.pathname + location.search + location.hash;
    const reason = hasSessionEnded() ? '&reason=ended' : '';
    location.replace(`${paths.login}?redirect=${encodeURIComponent(wanted)}${reason}`);
  }, []);
  return <LoadingText />;
}

/** What lies over the page; each opening is one of its own. */
type Layer = {
  kind: 'palette' | 'shortcuts' | 'language' | 'notifications';
  opening: number;
};

function SignedInFrame({ user }: { user: SessionUser }) {
  const [menuOpenedAt, setMenuOpenedAt] = useState<string>();
  const [layer, setLayer] = useState<Layer>();
  const { pathname } = useLocation();
  const wide = useMediaQuery('(min-width: 1024px)');
  const owner = ownerHere();
  // Any navigation, the browser's Back included, leaves the page the menu was opened on and so closes it.
  const menuOpen = menuOpenedAt === pathname;
  setTimeZone(user.timezone);

  useEffect(() => {
    connectLiveEvents(owner);
    return disconnectLiveEvents;
  }, [owner]);
  const closeMenu = useCallback(() => setMenuOpenedAt(undefined), []);
  const open = (kind: Layer['kind']) => setLayer((before) => ({ kind, opening: (before?.opening ?? 0) + 1 }));
  // One that is still fading away must not take the next one with it.
  const close = (closed: Layer) => setLayer((now) => (now === closed ? undefined : now));
  useShortcuts({ onPalette: () => open('palette'), onHelp: () => open('shortcuts') });

  const hasNotices = can('settings:manage') && !user.mustSetUpTwoFactor;
  // Its place is kept, so that nothing moves when it comes.
  const bell = (
    <Suspense fallback={<div aria-hidden className="size-9" />}>
      {user.mustSetUpTwoFactor ? null : <NotificationBell onOpen={() => open('notifications')} />}
    </Suspense>
  );

  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href="#content"
        inert={menuOpen && !wide}
        className="sr-only layer-skip rounded-card bg-primary px-4 py-2 font-medium text-on-primary focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('common.skipToContent')}
      </a>
      <Sidebar
        user={user}
        wide={wide}
        open={menuOpen}
        onClose={closeMenu}
        onPalette={() => open('palette')}
        bell={wide ? bell : null}
        onLanguage={() => open('language')}
        onShortcuts={() => open('shortcuts')}
        presence={
          <Suspense fallback={<div aria-hidden className="h-7" />}>
            <PresenceWidget />
          </Suspense>
        }
      />
      {/* Behind the open drawer nothing can be reached. */}
      <div inert={menuOpen && !wide} className="flex min-w-0 flex-1 flex-col">
        <Suspense>
          <IdleWatch />
        </Suspense>
        <Suspense>{can('messages:create') ? <WaitingMessages /> : null}</Suspense>
        <Suspense>
          {can('messages:read') && can('contacts:read') && !user.mustSetUpTwoFactor ? (
            <InboxAlerts ownId={user.id} />
          ) : null}
        </Suspense>
        {/* On a phone a page may have the whole screen, with its own way back. */}
        <header className="flex h-13 shrink-0 items-center gap-2 border-b border-border bg-raised px-2 lg:hidden max-md:in-[body:has([data-whole-screen])]:hidden">
          <IconButton
            label={t('common.openMenu')}
            aria-expanded={menuOpen}
            aria-controls="sidebar"
            onClick={() => setMenuOpenedAt(pathname)}
          >
            <MenuIcon aria-hidden />
          </IconButton>
          <span className="flex-1 font-semibold">{t('common.brand')}</span>
          <Suspense>
            <PresenceWidget compact />
          </Suspense>
          {wide ? null : bell}
          <IconButton label={t('common.palette.open')} onClick={() => open('palette')}>
            <Search aria-hidden />
          </IconButton>
        </header>
        <Suspense fallback={hasNotices ? <SampleHintPlace /> : null}>
          <Banners hasNotices={hasNotices} />
        </Suspense>
        <main id="content" tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
          {user.mustSetUpTwoFactor && pathname !== paths.profile ? <GoToSetUp /> : <PermittedPage />}
        </main>
      </div>
      <Suspense>
        {layer?.kind === 'palette' ? (
          <CommandPalette
            key={layer.opening}
            onClose={() => close(layer)}
            onShortcuts={() => open('shortcuts')}
          />
        ) : null}
        {layer?.kind === 'language' ? (
          <LanguageDialog key={layer.opening} onClose={() => close(layer)} />
        ) : null}
        {layer?.kind === 'notifications' ? <NotificationList onClose={() => close(layer)} /> : null}
        {layer?.kind === 'shortcuts' ? <ShortcutsDialog onClose={() => close(layer)} /> : null}
      </Suspense>
    </div>
  );
}

/** A workspace that asks for a second factor lets nobody without one go anywhere else. */
function GoToSetUp() {
  return <Navigate to={paths.profile} search={{ tab: 'security' }} replace />;
}

/** The page, or Access Denied when one of its permissions is missing. */
function PermittedPage() {
  const matches = useMatches();
  const missing = matches.find(({ staticData, search }) => !readAccess(staticData, search).every(can));
  if (!missing) return <Outlet />;
  return (
    <Suspense>
      <AccessDenied text={(missing.staticData as Pick<FeatureRoute, 'deniedText'>).deniedText} />
    </Suspense>
  );
}

function readAccess(staticData: object, search: { form?: unknown; dialog?: unknown }): readonly Permission[] {
  // `router.tsx` puts the permissions of a feature's route there.
  const { access = [], formAccess } = staticData as Pick<FeatureRoute, 'access' | 'formAccess'>;
  return [...access, ...(formAccess?.[String(search.form ?? search.dialog)] ?? [])];
}
