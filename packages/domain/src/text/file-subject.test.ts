import { expect, test } from 'vitest';
import { fileSubject } from './file-subject.ts';

test.each([
  ['Été & VIP', 'ete-vip'],
  ['../../etc"passwd\r\n', 'etc-passwd'],
  ['Große Kunden', 'grosse-kunden'],
  ['عملاء', ''],
  ['a'.repeat(60), 'a'.repeat(40)],
])('%s becomes %s', (name, subject) => {
  expect(fileSubject(name)).toBe(subject);
});
