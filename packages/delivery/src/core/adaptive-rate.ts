/** How fast a number may send: full speed, or less after the platform complained. */
export type AdaptiveRate = {
  fullPerSecond: number;
  /** Null at full speed. */
  loweredTo: number | null;
  /** Milliseconds since 1970 of the last change. */
  changedAt: number;
};

const lowerBy = 0.75;
const raiseBy = 0.05;
const raiseEveryMs = 5_000;
/** Complaints about messages that left before the last reduction say nothing about the new speed. */
const lowerAtMostEveryMs = 2_000;

export function ratePerSecond({ fullPerSecond, loweredTo }: AdaptiveRate): number {
  return Math.max(1, Math.min(fullPerSecond, loweredTo ?? fullPerSecond));
}

export function lowerRate(rate: AdaptiveRate, now: number): AdaptiveRate {
  if (rate.loweredTo !== null && now - rate.changedAt < lowerAtMostEveryMs) return rate;
  return { ...rate, loweredTo: Math.max(1, Math.floor(ratePerSecond(rate) * lowerBy)), changedAt: now };
}

/** Five per cent of full speed more for every five seconds without complaint. */
export function raiseRate(rate: AdaptiveRate, now: number): AdaptiveRate {
  if (rate.loweredTo === null) return rate;
  const steps = Math.floor((now - rate.changedAt) / raiseEveryMs);
  if (steps <= 0) return rate;
  const raised = rate.loweredTo + steps * Math.max(1, rate.fullPerSecond * raiseBy);
  return { ...rate, loweredTo: raised >= rate.fullPerSecond ? null : Math.floor(raised), changedAt: now };
}
