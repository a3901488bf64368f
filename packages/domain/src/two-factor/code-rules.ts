/** Wrong one-time codes in a row before the account takes none for a while. */
const FAILURES_BEFORE_LOCK = 5;
const FIRST_LOCK_SECONDS = 15 * 60;
const LONGEST_LOCK_SECONDS = 24 * 3600;

/** Wrong codes older than this no longer count, in hours. */
export const CODE_FAILURE_MEMORY_HOURS = 24;

/** How many recovery codes are made at once. */
export const RECOVERY_CODES = 10;
/** No letter or digit that looks like another one. */
export const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
export const RECOVERY_LENGTH = 10;

/** For how long a browser that somebody trusts asks for no code, in days. */
export const TRUSTED_DEVICE_DAYS = 30;

/**
 * Seconds for which no one-time code of the account is looked at after its `failures`th wrong one in a row: 15 minutes after
 * each fifth, twice as long each time, a day at most. Whoever gets here knows the password, so that no stranger can lock
 * anybody out; recovery codes and passkeys, which nobody guesses, still work.
 */
export function lockSecondsAfterCodes(failures: number): number {
  if (failures === 0 || failures % FAILURES_BEFORE_LOCK !== 0) return 0;
  return Math.min(FIRST_LOCK_SECONDS * 2 ** (failures / FAILURES_BEFORE_LOCK - 1), LONGEST_LOCK_SECONDS);
}

export type SecondFactorCode = { kind: 'one-time' | 'recovery'; code: string };

/** What somebody typed: six digits, or a recovery code, however they are spaced and cased; null for anything else. */
export function readCode(typed: string): SecondFactorCode | null {
  const code = typed.replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'one-time', code };
  const isRecovery =
    code.length === RECOVERY_LENGTH && [...code].every((letter) => RECOVERY_ALPHABET.includes(letter));
  return isRecovery ? { kind: 'recovery', code } : null;
}

/** A recovery code as people read it: `abcde-fghjk`. */
export function showRecoveryCode(code: string): string {
  return `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`;
}
