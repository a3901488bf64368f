import { createRoot } from 'react-dom/client';
import { activeLocale, loadMessages, preferredLocale, switchLocale } from '../shared/messages.ts';
import { isPublicPath } from '../shared/paths.ts';
import { findSession } from '../shared/session.ts';
import { loadFile } from '../ui/load-file.ts';
import '../ui/theme.css';
import { DashboardApp, openDashboard } from './dashboard-app.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
const root = createRoot(element);

// Never awaited at the top: pages import the file that this one is in, and would wait for each other.
void start(element);

async function start(place: Element): Promise<void> {
  // Built, the public pages have files and a script of their own: `vite-pages.ts`.
  if (import.meta.env.DEV && isPublicPath(location.pathname)) {
    const { startPublicPages } = await import('./public-app.tsx');
    return startPublicPages(place, (page) => root.render(page));
  }
  // The first page's data waits for it, and it does not wait for the words.
  void findSession();
  await loadFile(() => switchLocale(preferredLocale()));
  await Promise.all([loadFile(() => loadMessages('ui', 'common')), openDashboard()]);
  // The account may have another language than this browser had.
  if (preferredLocale() !== activeLocale()) await loadFile(() => switchLocale(preferredLocale()));
  root.render(<DashboardApp />);
}
