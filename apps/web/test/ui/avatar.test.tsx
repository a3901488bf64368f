import { expect, test } from 'vitest';
import { Avatar } from '../../src/ui/avatar.tsx';
import { eventually, show, shownText } from '../screen.tsx';

test.each([
  ['Ana Lima', 'AL'],
  ['josé maría garcía', 'JG'],
  ['E\u0301va', 'E\u0301'],
  ['Øyvind', 'Ø'],
  ['👩‍🍳 Koch', '👩‍🍳K'],
  ['李 小龙', '李小'],
  ['', '?'],
])('the initials of "%s" are whole signs', async (name, initials) => {
  show(<Avatar name={name} />);
  await eventually(() => expect(shownText()).toBe(initials));
});
