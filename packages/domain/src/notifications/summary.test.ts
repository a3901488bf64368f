import { expect, test } from 'vitest';
import { changeOf, isWorthTelling, listNeeds, type Summary } from './summary.ts';

const none: Summary = {
  figures: { sent: { now: 0, before: 12 } },
  ...{ ended: [], endedCount: 0 },
  needs: {
    ...{
      ownUnanswered: 0,
      freeUnanswered: 0,
      stoppedNumbers: [],
      rejectedTemplates: [],
      pausedCampaigns: [],
    },
    dueCampaigns: [],
  },
};
const waiting: Summary = { ...none, needs: { ...none.needs, freeUnanswered: 2, stoppedNumbers: ['+1'] } };
const due: Summary = {
  ...none,
  needs: { ...none.needs, dueCampaigns: [{ name: 'Spring', at: new Date() }] },
};

test.each([
  ['nothing', none, false, false],
  ['messages', { ...none, figures: { sent: { now: 1, before: 0 } } }, true, true],
  ['a campaign that ended', { ...none, endedCount: 1 }, true, true],
  ['a campaign that is due', due, true, true],
  ['what has been waiting', waiting, false, true],
])('of %s a day and a week tell', (_, summary, isOfDay, isOfWeek) => {
  expect(isWorthTelling('daily_summary', summary)).toBe(isOfDay);
  expect(isWorthTelling('weekly_report', summary)).toBe(isOfWeek);
});

test('what needs somebody is named, the most urgent first', () => {
  expect(listNeeds(waiting.needs)).toEqual(['stoppedNumbers', 'freeUnanswered']);
});

test.each([
  [12, 10, 20],
  [5, 10, -50],
  [10, 10, 0],
  [3, 0, null],
])('%i after %i is a change of %j percent', (now, before, percent) => {
  expect(changeOf({ now, before })).toBe(percent);
});
