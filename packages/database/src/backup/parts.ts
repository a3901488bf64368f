import type { Catalogue } from './read-catalogue.ts';

/** What a file is made of, in this order. */
export type Part =
  | { kind: 'catalogue' }
  | { kind: 'table'; name: string; columns: readonly string[] }
  | { kind: 'secrets' }
  /** One of the media store, under its key there. */
  | { kind: 'file'; name: string };

/** What a part came to, written behind it. */
export type PartEnd = {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Of a table: how many rows, and a sum of all of them in whichever order. */
  rows?: number;
  sum?: number;
};

export type PartEvent =
  | { event: 'begin'; part: Part }
  | { event: 'data'; part: Part; bytes: Uint8Array }
  | { event: 'end'; part: Part; end: PartEnd };

/** The catalogue is itself the first part. */
export type { Catalogue };
