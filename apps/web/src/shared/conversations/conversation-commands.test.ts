import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { offerConversationCommand, runConversationCommand } from './conversation-commands.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a command of a conversation', () => {
  test('is done by who offers it last, and by nobody of another conversation', () => {
    const done: string[] = [];
    const ends = [
      offerConversationCommand('a', 'reply', () => done.push('first')),
      offerConversationCommand('a', 'reply', () => done.push('last')),
    ];
    expect(runConversationCommand('a', 'reply')).toBe(true);
    expect(runConversationCommand('b', 'reply')).toBe(false);
    ends[1]!();
    expect(runConversationCommand('a', 'reply')).toBe(true);
    expect(done).toEqual(['last', 'first']);
    ends[0]!();
  });

  test('that comes before its room is done once the room is there, and once', () => {
    const done = vi.fn<() => void>();
    expect(runConversationCommand('c', 'reply')).toBe(false);
    offerConversationCommand('other', 'reply', done)();
    expect(done).not.toHaveBeenCalled();
    offerConversationCommand('c', 'reply', done)();
    offerConversationCommand('c', 'reply', done)();
    expect(done).toHaveBeenCalledTimes(1);
  });

  test('gives way to the next one, and is not waited for without end', () => {
    const done = vi.fn<() => void>();
    runConversationCommand('d', 'reply');
    runConversationCommand('d', 'note');
    offerConversationCommand('d', 'reply', done)();
    vi.advanceTimersByTime(60_000);
    offerConversationCommand('d', 'note', done)();
    expect(done).not.toHaveBeenCalled();
  });
});
