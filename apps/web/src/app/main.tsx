import { createRoot } from 'react-dom/client';
import { loadMessages, preferredLocale, switchLocale } from '../shared/messages.ts';
import { onNavigation } from '../shared/public-navigation.ts';
import '../ui/theme.css';
import { isPublicPath } from './public-routes.ts';
import { reloadAfterUpdate } from './reload-after-update.ts';

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
const root = createRoot(element);
let shown: 'public' | 'dashboard' | undefined;

// Visitors of the public pages do not pay for the router and the query cache of the dashboard.
async function show(): Promise<void> {
  const wanted = isPublicPath(location.pathname) ? 'public' : 'dashboard';
  if (wanted === shown) return;
  shown = wanted;
  if (wanted === 'public') {
    const { PublicApp, preloadPublicPage } = await import('./public-app.tsx');
    // What cannot be loaded now is tried again, and reported, by the page itself.
    await preloadPublicPage(location.pathname).catch(() => undefined);
    root.render(<PublicApp />);
  } else {
    const { DashboardApp } = await import('./dashboard-app.tsx');
    root.render(<DashboardApp />);
  }
}

onNavigation(() => {
  // Inside the dashboard its router follows the address.
  if (shown === 'public') void show();
});
reloadAfterUpdate();
await switchLocale(preferredLocale());
await Promise.all([loadMessages('common'), preloadApp()]);
await show();

function preloadApp(): Promise<unknown> {
  return isPublicPath(location.pathname) ? import('./public-app.tsx') : import('./dashboard-app.tsx');
}
