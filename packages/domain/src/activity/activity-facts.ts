import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

/** What people look at and press: for the feed alone. */
const seen = {
  version: 1,
  subject: 'user',
  audit: { type: 'view', resource: 'dashboard' },
  live: [],
  forWebhooks: false,
} as const;

const presence = {
  ...seen,
  values: {},
  audit: null,
  live: [{ topic: 'presence' }],
} as const;

export const activityFacts = {
  'dashboard.viewed': defineFact({ ...seen, values: {} }),
  'dashboard.clicked': defineFact({ ...seen, values: { element: text } }),
  'user.came': defineFact(presence),
  'user.left': defineFact(presence),
  'user.went_idle': defineFact(presence),
  'user.came_back': defineFact(presence),
};
