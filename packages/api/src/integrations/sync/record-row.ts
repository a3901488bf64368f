/** A record of the vendor as it is stored. */
export type RecordRow = {
  id: string;
  external_id: string;
  contact_id: string | null;
  is_gone: boolean;
  remote_values: Record<string, string | null>;
  remote_edited_at: Date | null;
  phone_key: string | null;
  base: Record<string, string> | null;
  said_opt_out: boolean;
};

export const RECORD_COLUMNS = `id, external_id, contact_id, is_gone, remote_values, remote_edited_at, phone_key, base, said_opt_out`;

/** The mapped values of a record in our form; `undefined` where it has none that can be read. `unread`: the first field that could not be read. */
export type Theirs = { values: Record<string, string | null | undefined>; unread: string | null };
