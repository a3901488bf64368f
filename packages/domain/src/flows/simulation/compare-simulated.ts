import type { Simulated, SimulatedRun } from './simulate-contact.ts';

/** How the draft treats a contact, against the published version. */
export const differences = ['enters', 'stays_out', 'other_path', 'other_messages', 'same'] as const;
export type Difference = (typeof differences)[number];

/** The gravest difference: who enters at all, then the way, then what is sent on it. */
export function compareSimulated(draft: Simulated, published: Simulated): Difference {
  if (published.runs.length === 0) return draft.runs.length === 0 ? 'same' : 'enters';
  if (draft.runs.length === 0) return 'stays_out';
  if (say(draft, wayOf) !== say(published, wayOf)) return 'other_path';
  return say(draft, contentOf) === say(published, contentOf) ? 'same' : 'other_messages';
}

function say({ runs }: Simulated, part: (run: SimulatedRun) => unknown): string {
  return JSON.stringify(runs.map(part));
}

function wayOf({ path, end, unknown }: SimulatedRun): unknown {
  return [path.map(({ stepId, type, exit, code }) => [stepId, type, exit, code]), end, unknown];
}

function contentOf({ messages }: SimulatedRun): unknown {
  return messages.map(({ request }) => request);
}

export type MessageCount = {
  templateId: string | null;
  text: string | null;
  draft: number;
  published: number;
};

/** Adds the messages of one contact to those of all, by what they send. */
export function countMessages(
  counts: Map<string, MessageCount>,
  simulated: Simulated,
  side: 'draft' | 'published',
): void {
  for (const { messages } of simulated.runs)
    for (const { templateId, text } of messages) {
      const key = JSON.stringify([templateId, text]);
      const count = counts.get(key) ?? { templateId, text, draft: 0, published: 0 };
      count[side] += 1;
      counts.set(key, count);
    }
}
