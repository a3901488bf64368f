let isDone = false;

/** Whoever fills in such a form is about to see the dashboard: its script is fetched while they type. */
export function loadDashboardAhead(): void {
  if (isDone) return;
  isDone = true;
  // The build of the public pages writes the addresses in.
  const files: readonly string[] = import.meta.env.DASHBOARD_FILES ?? [];
  for (const href of files)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'script', href }),
    );
}
