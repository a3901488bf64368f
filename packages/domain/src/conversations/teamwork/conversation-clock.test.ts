import { describe, expect, test } from 'vitest';
import { beginClock, newsBetween, nextNews, openDues, turnClock } from './conversation-clock.ts';

const MINUTE = 60_000;
const rules = { targets: { firstAnswerMinutes: 10, resolutionMinutes: 100 }, businessHours: null };
const at = (minutes: number) => minutes * MINUTE;
const begun = beginClock(0, rules);

describe('a clock that begins', () => {
  test('says by when to answer and to resolve, and when either is about to be missed', () => {
    expect(openDues(begun)).toEqual([
      { kind: 'first_answer', at: at(10), soonAt: at(8) },
      { kind: 'resolution', at: at(100), soonAt: at(80) },
    ]);
  });

  test('says nothing without targets', () => {
    const none = { targets: { firstAnswerMinutes: null, resolutionMinutes: null }, businessHours: null };
    expect(openDues(beginClock(0, none))).toEqual([]);
    expect(nextNews(beginClock(0, none), 0)).toBeNull();
  });

  test('has no more to say of the answer once somebody answered', () => {
    expect(openDues({ ...begun, firstAnsweredAt: at(3) })).toMatchObject([{ kind: 'resolution' }]);
  });
});

describe('a change of status', () => {
  const turn = (clock: typeof begun, status: 'open' | 'waiting' | 'resolved' | 'snoozed', minutes: number) =>
    turnClock(clock, status, { rules, now: at(minutes) });

  test('lets the time to a resolution stand still, but not that to an answer', () => {
    const waiting = turn(begun, 'waiting', 40);
    expect(openDues(waiting)).toMatchObject([{ kind: 'first_answer', at: at(10) }]);
    const again = turn(turn(waiting, 'snoozed', 60), 'open', 500);
    expect(openDues(again)).toContainEqual({ kind: 'resolution', at: at(560), soonAt: at(540) });
  });

  test('to resolved ends both; what is opened again by hand goes on where it stood', () => {
    const resolved = turn(begun, 'resolved', 30);
    expect(resolved).toMatchObject({ resolvedAt: at(30), resolutionDueAt: at(100) });
    expect(openDues(resolved)).toEqual([]);
    const again = turn(resolved, 'open', 31);
    expect(again.resolvedAt).toBeNull();
    expect(openDues(again)).toContainEqual({ kind: 'resolution', at: at(101), soonAt: at(81) });
  });

  test('takes nothing back that was missed', () => {
    const late = turn(turn(begun, 'waiting', 200), 'open', 300);
    expect(openDues(late)).toContainEqual({ kind: 'resolution', at: at(100), soonAt: at(80) });
  });

  test('shortly before the end says at once that it is about to be missed', () => {
    const again = turn(turn(begun, 'waiting', 95), 'open', 300);
    expect(openDues(again)).toContainEqual({ kind: 'resolution', at: at(305), soonAt: at(300) });
  });
});

describe('news of a clock', () => {
  test('come one after the other, each once', () => {
    const told: string[] = [];
    let since = 0;
    for (let next = nextNews(begun, since); next !== null; next = nextNews(begun, since)) {
      const found = newsBetween(begun, { since: next, now: next });
      told.push(...found.map(({ kind, is }) => `${next! / MINUTE} ${kind} ${is}`));
      since = next;
    }
    expect(told).toEqual([
      '8 first_answer soon',
      '10 first_answer missed',
      '80 resolution soon',
      '100 resolution missed',
    ]);
  });

  test('who was away hears the last of each', () => {
    const news = newsBetween(begun, { since: at(8), now: at(90) });
    expect(news.map(({ kind, is }) => `${kind} ${is}`)).toEqual(['first_answer missed', 'resolution soon']);
  });
});
