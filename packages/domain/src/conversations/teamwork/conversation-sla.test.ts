import { describe, expect, test } from 'vitest';
import { aimSla, beginSla, newsBetween, nextNews, openDueTargets, turnSla } from './conversation-sla.ts';

const MINUTE = 60_000;
const rules = { targets: { firstAnswerMinutes: 10, resolutionMinutes: 100 }, businessHours: null };
const at = (minutes: number) => minutes * MINUTE;
const begun = beginSla(0, rules);

describe('a clock that begins', () => {
  test('says by when to answer and to resolve, and when either is about to be missed', () => {
    expect(openDueTargets(begun)).toEqual([
      { kind: 'first_answer', at: at(10), soonAt: at(8) },
      { kind: 'resolution', at: at(100), soonAt: at(80) },
    ]);
  });

  test('says nothing without targets', () => {
    const none = { targets: { firstAnswerMinutes: null, resolutionMinutes: null }, businessHours: null };
    expect(openDueTargets(beginSla(0, none))).toEqual([]);
    expect(nextNews(beginSla(0, none), 0)).toBeNull();
  });

  test('has no more to say of the answer once somebody answered', () => {
    expect(openDueTargets({ ...begun, firstAnsweredAt: at(3) })).toMatchObject([{ kind: 'resolution' }]);
  });
});

describe('a change of status', () => {
  const turn = (clock: typeof begun, status: 'open' | 'waiting' | 'resolved' | 'snoozed', minutes: number) =>
    turnSla(clock, status, { rules, now: at(minutes) });

  test('lets the time to a resolution stand still, but not that to an answer', () => {
    const waiting = turn(begun, 'waiting', 40);
    expect(openDueTargets(waiting)).toMatchObject([{ kind: 'first_answer', at: at(10) }]);
    const again = turn(turn(waiting, 'snoozed', 60), 'open', 500);
    expect(openDueTargets(again)).toContainEqual({ kind: 'resolution', at: at(560), soonAt: at(540) });
  });

  test('to resolved ends both; what is opened again by hand goes on where it stood', () => {
    const resolved = turn(begun, 'resolved', 30);
    expect(resolved).toMatchObject({ resolvedAt: at(30), resolutionDueAt: at(100) });
    expect(openDueTargets(resolved)).toEqual([]);
    const again = turn(resolved, 'open', 31);
    expect(again.resolvedAt).toBeNull();
    expect(openDueTargets(again)).toContainEqual({ kind: 'resolution', at: at(101), soonAt: at(81) });
  });

  test('takes nothing back that was missed', () => {
    const late = turn(turn(begun, 'waiting', 200), 'open', 300);
    expect(openDueTargets(late)).toContainEqual({ kind: 'resolution', at: at(100), soonAt: at(80) });
  });

  test('shortly before the end says at once that it is about to be missed', () => {
    const again = turn(turn(begun, 'waiting', 95), 'open', 300);
    expect(openDueTargets(again)).toContainEqual({ kind: 'resolution', at: at(305), soonAt: at(300) });
  });
});

describe('other targets', () => {
  const aim = (
    clock: typeof begun,
    targets: { firstAnswerMinutes: number | null; resolutionMinutes: number | null },
    { minutes, isPaused = false }: { minutes: number; isPaused?: boolean },
  ) => aimSla(clock, { rules: { targets, businessHours: null }, isPaused, now: at(minutes) });

  test('hold from the beginning, and what ran so far counts', () => {
    const other = aim(begun, { firstAnswerMinutes: 20, resolutionMinutes: 50 }, { minutes: 5 });
    expect(openDueTargets(other)).toEqual([
      { kind: 'first_answer', at: at(20), soonAt: at(16) },
      { kind: 'resolution', at: at(50), soonAt: at(40) },
    ]);
  });

  test('do not count the time in which it stood still', () => {
    const waiting = turnSla(begun, 'waiting', { rules, now: at(10) });
    const aimed = aim(
      waiting,
      { firstAnswerMinutes: 10, resolutionMinutes: 30 },
      { minutes: 90, isPaused: true },
    );
    const open = turnSla(aimed, 'open', { rules, now: at(200) });
    expect(openDueTargets(open)).toContainEqual({ kind: 'resolution', at: at(220), soonAt: at(214) });
  });

  test('that would have been missed by now are due now; what was missed stays so', () => {
    const [answer] = openDueTargets(
      aim(begun, { firstAnswerMinutes: 1, resolutionMinutes: null }, { minutes: 5 }),
    );
    expect(answer).toMatchObject({ kind: 'first_answer', at: at(5) + 1 });
    const late = aim(begun, { firstAnswerMinutes: 60, resolutionMinutes: 100 }, { minutes: 30 });
    expect(openDueTargets(late)[0]).toMatchObject({ kind: 'first_answer', at: at(10) });
  });

  test('change nothing of what is resolved, and end with the last target', () => {
    const resolved = turnSla(begun, 'resolved', { rules, now: at(4) });
    const none = { firstAnswerMinutes: null, resolutionMinutes: null };
    expect(aim(resolved, none, { minutes: 5 })).toEqual(resolved);
    expect(openDueTargets(aim(begun, none, { minutes: 5 }))).toEqual([]);
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
