import type { api } from '../api.ts';

export type Usage = Awaited<ReturnType<typeof api.settings.getUsage>>;
export type UsageNews = { kind: 'budget' | 'messages' | 'contacts'; level: 'near' | 'full' };

/** The limit that matters most: the budget, which stops campaigns, before the plan, which stops nothing. */
export function findNews({ budget, plan }: Usage): UsageNews | null {
  const all = [
    { kind: 'budget', level: budget?.level ?? 'fine' },
    { kind: 'messages', level: plan.messages.level },
    { kind: 'contacts', level: plan.contacts.level },
  ] as const;
  for (const { kind, level } of all) if (level !== 'fine') return { kind, level };
  return null;
}
