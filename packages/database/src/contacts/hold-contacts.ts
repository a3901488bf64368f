type Client = { query(text: string, values: unknown[]): Promise<unknown> };

export type ContactHold = { workspaceId: string; contactId: string; hours: number };

/** No marketing to these people for some hours, also when their contact is deleted and comes back meanwhile. */
export async function holdContacts(client: Client, holds: readonly ContactHold[]): Promise<void> {
  if (holds.length === 0) return;
  await client.query(
    `SELECT hold_contacts($1::uuid[], $2::uuid[],
              ARRAY(SELECT now() + make_interval(hours => hours) FROM unnest($3::integer[]) WITH ORDINALITY AS h (hours, place) ORDER BY place))`,
    [
      holds.map(({ workspaceId }) => workspaceId),
      holds.map(({ contactId }) => contactId),
      holds.map(({ hours }) => hours),
    ],
  );
}
