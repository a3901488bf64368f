/** The features of a phone, in the platform's words; null where it gets no RCS from the agent. */
export type PhoneCapability = readonly string[] | null;

type Known = { isReachable: boolean; features: PhoneCapability | undefined; until: number };

const DAY_MS = 86_400_000;
const keptMs = { reachable: 7 * DAY_MS, unreachable: DAY_MS };
/** About 100 bytes each. */
const MOST_PHONES = 200_000;

/** What is known of phones, for as long as it holds. A bulk check tells no features. */
export function createCapabilityCache(now: () => number) {
  const known = new Map<string, Known>();
  const set = (phone: string, isReachable: boolean, features: PhoneCapability | undefined) => {
    known.delete(phone);
    if (known.size >= MOST_PHONES) known.delete(known.keys().next().value!); // the oldest of many
    known.set(phone, {
      ...{ isReachable, features },
      until: now() + (isReachable ? keptMs.reachable : keptMs.unreachable),
    });
  };
  return {
    find(phone: string): Known | undefined {
      const found = known.get(phone);
      return found && found.until > now() ? found : undefined;
    },
    note(phone: string, features: PhoneCapability): void {
      set(phone, features !== null, features);
    },
    noteReach(phone: string, isReachable: boolean): void {
      set(phone, isReachable, isReachable ? undefined : null);
    },
  };
}
