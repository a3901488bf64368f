import { expect, test } from 'vitest';
import type { CustomFieldType } from './custom-field.ts';
import { guessFieldType } from './guess-field-type.ts';

test.each<[readonly string[], CustomFieldType]>([
  [['02/03/1995', '16/01/1995'], 'date'],
  [['02/03/1995'], 'date'],
  [['1/16/1995', '2/3/1995'], 'date'],
  [['1995-01-16', '2.3.1995'], 'date'],
  [['16/01/1995', '01/16/1995'], 'text'],
  [['1.869,53 €', '12,00 €'], 'number'],
  [['40', '41.5'], 'number'],
  [['$1,234.50'], 'number'],
  [['1,234'], 'text'],
  [['00123', '00124'], 'text'],
  [['+491711234567'], 'text'],
  [['40', 'large'], 'text'],
  [[], 'text'],
])('%j is %s', (values, type) => {
  expect(guessFieldType(values)).toBe(type);
});
