import { loadMessages } from '../../shared/messages.ts';
import { lazyDetail } from '../../ui/load-file.ts';

/** The panels at the top of the home with their words. They are no part of the frame's file, and come beside what they show. */
export async function loadPanels() {
  const [{ HomePanels }] = await Promise.all([import('./panels/home-panels.tsx'), loadMessages('home')]);
  return HomePanels;
}

/** What waits for somebody, and the way to the first campaign. */
export const LatePanels = lazyDetail(loadPanels);
