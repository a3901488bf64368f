import type { FieldMapping } from './contact-connector.ts';

/** One mapped field of both sides, in our own form. `isChanged` compares with what both had after the last sync; null before the first. */
export type FieldPair = {
  mapping: Pick<FieldMapping, 'ours' | 'direction' | 'wins'>;
  ours: string | null;
  theirs: string | null;
  base: { oursChanged: boolean; theirsChanged: boolean } | null;
};

export type MergedField = 'same' | 'take_theirs' | 'send_ours' | 'leave';

/** Which side edited its record last. */
export type NewerSide = 'ours' | 'theirs';

/**
 * What a sync does with one field. The side that changed since the last sync gives its value; where both changed, or nothing is known yet,
 * `wins` decides. A value fills an empty field without a contest. A number and a name are never emptied.
 * With one direction the value of the other side is not sent back. It stays, unless the side that gives the values always wins.
 */
export function mergeField({ mapping, ours, theirs, base }: FieldPair, newer: NewerSide): MergedField {
  if (ours === theirs) return 'same';
  const { direction, wins } = mapping;
  const winner = wins === 'newest' ? newer : wins;
  const isIdentity = mapping.ours === 'phone' || mapping.ours === 'name';
  const from = chooseSide({ ours, theirs, base, winner, isIdentity });
  if (from === 'theirs') {
    if (direction !== 'out') return 'take_theirs';
    return wins === 'ours' && ours !== null ? 'send_ours' : 'leave';
  }
  if (direction !== 'in') return 'send_ours';
  const mayEmpty = base !== null && !isIdentity;
  return wins === 'theirs' && (theirs !== null || mayEmpty) ? 'take_theirs' : 'leave';
}

function chooseSide({
  ours,
  theirs,
  base,
  winner,
  isIdentity,
}: Pick<FieldPair, 'ours' | 'theirs' | 'base'> & { winner: NewerSide; isIdentity: boolean }): NewerSide {
  if (isIdentity && theirs === null) return 'ours';
  if (isIdentity && ours === null) return 'theirs';
  if (base && base.oursChanged !== base.theirsChanged) return base.oursChanged ? 'ours' : 'theirs';
  if (!base && ours === null) return 'theirs';
  if (!base && theirs === null) return 'ours';
  return winner;
}

/**
 * What follows for consent. An opt-out of either side holds on both. What the vendor said before is no news, so that an opt-in that a person
 * gave here later is not undone by the same old mark.
 */
export function mergeOptOut(
  ours: boolean,
  theirs: boolean,
  theirsBefore: boolean,
): { optOutHere: boolean; optOutThere: boolean } {
  return { optOutHere: theirs && !theirsBefore && !ours, optOutThere: ours && !theirs };
}
