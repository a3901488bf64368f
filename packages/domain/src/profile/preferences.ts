export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

export const notificationChannels = ['email', 'push', 'sms', 'inApp'] as const;
/** The ways in which people are told of something by now; what they once chose of the others is kept. */
export const offeredChannels = ['email', 'push', 'inApp'] as const satisfies readonly NotificationChannel[];
export type NotificationChannel = (typeof notificationChannels)[number];

export const dashboardLayouts = ['grid', 'list'] as const;
export type DashboardLayout = (typeof dashboardLayouts)[number];

/** The parts of the home that people may have or not, and put in their own order. */
export const dashboardWidgets = [
  'stats',
  'message-analytics',
  'recent-campaigns',
  'activity',
  'system-status',
  'campaign-status',
  'quick-actions',
] as const;
export type DashboardWidget = (typeof dashboardWidgets)[number];

export type Preferences = {
  theme: Theme;
  notifications: Record<NotificationChannel, boolean>;
  dashboard: { layout: DashboardLayout; widgets: readonly DashboardWidget[] };
};

export const defaultPreferences: Preferences = {
  theme: 'light',
  notifications: { email: true, push: true, sms: false, inApp: true },
  dashboard: { layout: 'grid', widgets: dashboardWidgets },
};

/** Stored is what was chosen; everything else, and what this version does not know, has its default. */
export function readPreferences(stored: Record<string, unknown>): Preferences {
  const notifications = toRecord(stored.notifications);
  const dashboard = toRecord(stored.dashboard);
  return {
    theme: pick(themes, stored.theme) ?? defaultPreferences.theme,
    notifications: {
      email: toFlag(notifications.email, defaultPreferences.notifications.email),
      push: toFlag(notifications.push, defaultPreferences.notifications.push),
      sms: toFlag(notifications.sms, defaultPreferences.notifications.sms),
      inApp: toFlag(notifications.inApp, defaultPreferences.notifications.inApp),
    },
    dashboard: {
      layout: pick(dashboardLayouts, dashboard.layout) ?? defaultPreferences.dashboard.layout,
      widgets: readWidgets(dashboard.widgets),
    },
  };
}

function readWidgets(stored: unknown): readonly DashboardWidget[] {
  if (!Array.isArray(stored)) return defaultPreferences.dashboard.widgets;
  const known = stored.flatMap((name) => pick(dashboardWidgets, name) ?? []);
  return [...new Set(known)];
}

function pick<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

function toFlag(value: unknown, fallback: boolean): boolean {
  return typeof value === 'boolean' ? value : fallback;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
