import type { QueryKey } from '@tanstack/react-query';
import { orpc } from '../api.ts';

/** Lists of conversations, and what is counted of them. One conversation and its messages are read anew by whoever shows them. */
export function listKeys(): QueryKey[] {
  return [orpc.conversations.list.key(), orpc.conversations.count.key()];
}
