/** A pooled connection or a client inside a transaction. */
type Client = {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values: unknown[],
  ): Promise<{ rows: Row[] }>;
};

/** Something that was said about marketing consent. */
export type ConsentWord = {
  workspaceId: string;
  contactId: string;
  kind: 'opt_in' | 'opt_out';
  /** `person`: said on the messaging platform; `staff`: noted here by hand. */
  source: 'person' | 'staff';
  /** When it was said, whenever it arrived. */
  at: Date;
  /** What the person wrote, or what staff noted. */
  text?: string;
  recordedBy?: string | null;
  /** The number or platform id that said it. */
  sender?: string | null;
};

/**
 * Records what was said and lets the newest word decide, whichever arrived first. Everything that changes consent comes
 * through here; answers with the contacts whose consent is another one now.
 */
export async function recordConsents(client: Client, words: readonly ConsentWord[]): Promise<string[]> {
  if (words.length === 0) return [];
  const column = (read: (word: ConsentWord) => unknown): unknown[] => words.map(read);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM record_consents($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[]) AS id`,
    [
      column((word) => word.workspaceId),
      column((word) => word.contactId),
      column((word) => word.kind),
      column((word) => word.source),
      column((word) => word.text ?? ''),
      column((word) => word.recordedBy ?? null),
      column((word) => word.sender ?? null),
      column((word) => word.at),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Lets what is recorded decide again, after records came from or went to another contact. */
export async function settleConsents(client: Client, contactIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM settle_consents($1::uuid[]) AS id', [
    contactIds,
  ]);
  return rows.map(({ id }) => id);
}
