import { expect, test } from 'vitest';
import { defaultPreferences, readPreferences } from './preferences.ts';

test.each([
  {},
  { theme: 'pink', notifications: [], dashboard: 'grid' },
  { notifications: { email: 'yes' }, dashboard: { layout: 'circle', widgets: 'all' } },
])('%j means the defaults', (stored) => {
  expect(readPreferences(stored)).toEqual(defaultPreferences);
});

test('what was chosen stays, without what is unknown or named twice', () => {
  const stored = {
    theme: 'dark',
    notifications: { email: false, sms: true },
    dashboard: { layout: 'list', widgets: ['activity', 'weather', 'stats', 'activity'] },
  };
  expect(readPreferences(stored)).toEqual({
    theme: 'dark',
    notifications: { email: false, push: true, sms: true, inApp: true },
    dashboard: { layout: 'list', widgets: ['activity', 'stats'] },
  });
});

test('a home without any widget is a choice too', () => {
  expect(readPreferences({ dashboard: { widgets: [] } }).dashboard.widgets).toEqual([]);
});
