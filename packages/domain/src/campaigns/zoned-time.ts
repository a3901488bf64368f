const MINUTE = 60_000;

/**
 * A wall clock time (`2026-11-21T09:30`) of a zone as an instant; null when it is not one. A time that the clocks skip
 * in spring counts as one hour later, a time that comes twice in autumn as the first, unless the last is asked for.
 */
export function zonedTimeToInstant(
  local: string,
  timeZone: string,
  ofTwo: 'first' | 'last' = 'first',
): Date | null {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(asUtc)) return null;
  // The offset at the guess may be that of the other side of a clock change, so both sides are tried.
  const offsets = [asUtc - 24 * 60 * MINUTE, asUtc + 24 * 60 * MINUTE].map((near) =>
    offsetAt(near, timeZone),
  );
  const candidates = offsets.map((offset) => asUtc - offset * MINUTE);
  const exact = candidates.filter((instant) => instantToZonedTime(new Date(instant), timeZone) === local);
  const choose = ofTwo === 'last' || exact.length === 0 ? Math.max : Math.min;
  return new Date(choose(...(exact.length > 0 ? exact : candidates)));
}

/** An instant as the clocks of a zone show it: `2026-11-21T09:30`. */
export function instantToZonedTime(instant: Date, timeZone: string): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), timeZone) * MINUTE)
    .toISOString()
    .slice(0, 16);
}

/** By zone: making one takes many times as long as asking it, and business hours ask for each day of a target. */
const clocks = new Map<string, Intl.DateTimeFormat>();
/** More than there are zones; a name may be written in many ways. */
const MOST_CLOCKS = 1_000;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}

/** Minutes that the clocks of the zone are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const part = (type: string) => Number(parts.find((item) => item.type === type)?.value);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return Math.round((shown - Math.floor(instant / 1000) * 1000) / MINUTE);
}
