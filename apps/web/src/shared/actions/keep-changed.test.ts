import { defaultInboxSettings } from '@app/domain/conversations/inbox-settings';
import { expect, test } from 'vitest';
import { keepChanged } from './keep-changed.ts';

test('what one changed stands beside what somebody else changed meanwhile', () => {
  const opened = defaultInboxSettings;
  const mine = { ...opened, autoResolveDays: 9 };
  const theirs = {
    ...opened,
    autoResolveDays: 4,
    targets: { firstAnswerMinutes: 5, resolutionMinutes: null },
  };
  expect(keepChanged(opened, mine, theirs)).toEqual({ ...theirs, autoResolveDays: 9 });
  expect(keepChanged(opened, opened, theirs)).toEqual(theirs);
});
