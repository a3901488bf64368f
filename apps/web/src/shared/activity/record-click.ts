import { api } from '../api.ts';

/** Notes a click on a button of the dashboard; nobody waits for it. */
export function recordClick(element: string): void {
  api.activity.recordView({ type: 'click', page: 'dashboard', element }).catch(() => undefined);
}
