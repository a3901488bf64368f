import { useEffect, useEffectEvent, useState } from 'react';
import { SESSION_ENDS } from '../offline/interrupted-writing.ts';
import { OFFLINE_PREFIX } from '../offline/offline-copy.ts';
import { newKey } from '../api.ts';
import { ownerHere } from '../session.ts';

const QUIET_MS = 400;

type Found<Values> = {
  values: Values;
  /** When it was written, in milliseconds. */
  at: number;
};

type Stored<Values> = { key: string; version: number | null; found: Found<Values> };

export type KeptForm<Values> = {
  /** For the act that saves it: however often it is sent, from before and after a reload, it is done once. */
  key: string;
  /** Of the record that is changed, as it was when typing began: what somebody else saved since then is noticed as ever. */
  version: number | null;
  /** What was typed here before and neither saved nor given up. */
  found: Found<Values> | undefined;
  keep(values: Values): void;
  /** Saved, or given up. */
  forget(): void;
};

type Packing<Values> = { pack(values: Values): unknown; unpack(packed: never): Values };

/**
 * What is typed into a form and not saved yet, on this device: a closed tab, a crash or a lost connection takes nothing of it.
 *
 * @param name which form it is among those of this person; null for one that is not kept
 * @param initial what the form begins with, by whose shape that of an earlier version of the product is known
 * @param version of the record that is changed
 */
export function openKeptForm<Values extends object>(
  name: string | null,
  initial: Values,
  { version = null, packing }: { version?: number | null; packing?: Packing<Values> } = {},
): KeptForm<Values> {
  const owner = ownerHere();
  const place = `${OFFLINE_PREFIX}form:${owner}:${name}`;
  const read = () => (name === null ? undefined : readKept(place, initial, packing));
  const before = read();
  const key = before?.key ?? newKey();
  const base = before?.version ?? version;
  return {
    key,
    version: base,
    found: before?.found,
    keep(values) {
      // Whoever has signed out leaves nothing here, also not from a page that is just going.
      if (name === null || ownerHere() !== owner) return;
      const found = { values: packing ? packing.pack(values) : values, at: Date.now() };
      try {
        localStorage.setItem(place, JSON.stringify({ key, version: base, found }));
      } catch {
        // Without storage it lasts as long as the form.
      }
    },
    forget() {
      // Another tab may have begun anew.
      if (read()?.key === key) localStorage.removeItem(place);
    },
  };
}

function readKept<Values extends object>(
  place: string,
  initial: Values,
  packing?: Packing<Values>,
): Stored<Values> | undefined {
  try {
    const { key, version, found } = JSON.parse(localStorage.getItem(place) ?? 'null');
    const values = packing ? packing.unpack(found.values as never) : found.values;
    const isWhole =
      typeof key === 'string' && Number.isFinite(found.at) && (version === null || Number.isInteger(version));
    const fits = isWhole && Object.entries(initial).every(([name, value]) => isAlike(value, values[name]));
    return fits ? { key, version, found: { ...found, values } } : undefined;
  } catch {
    return undefined; // nothing, or damaged
  }
}

/** Of what begins with nothing anything may have been chosen, and what is one thing may have been put off. */
function isAlike(begun: unknown, kept: unknown): boolean {
  if (begun === null) return kept !== undefined;
  if (kept === null) return typeof begun === 'object' && !Array.isArray(begun);
  return typeof begun === typeof kept && Array.isArray(begun) === Array.isArray(kept);
}

/** Keeps what is typed shortly after somebody stops typing, and at once when the page may go or the session ends. */
export function useKeptForm<Values extends object>(
  kept: KeptForm<Values>,
  values: Values,
  isDirty: boolean,
): void {
  const keep = useEffectEvent(() => {
    if (isDirty) kept.keep(values);
  });
  useEffect(() => {
    if (!isDirty) return;
    const timer = setTimeout(() => kept.keep(values), QUIET_MS);
    return () => clearTimeout(timer);
  }, [kept, values, isDirty]);
  useEffect(() => {
    const ends = ['pagehide', SESSION_ENDS];
    for (const end of ends) addEventListener(end, keep);
    return () => {
      for (const end of ends) removeEventListener(end, keep);
    };
  }, []);
}

/** A kept form, opened once for as long as the form is shown. */
export function useOpenedForm<Values extends object>(
  ...of: Parameters<typeof openKeptForm<Values>>
): KeptForm<Values> {
  const [kept] = useState(() => openKeptForm(...of));
  return kept;
}
