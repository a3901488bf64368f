import type { ConnectorProblem } from './connector-problems.ts';

/** Who decides where both sides changed a field since the last sync: the newer edit, or always the same side. */
export const mappingWinners = ['newest', 'ours', 'theirs'] as const;
export type MappingWinner = (typeof mappingWinners)[number];

/** `in`: from the vendor to us; `out`: from us to the vendor. */
export const mappingDirections = ['both', 'in', 'out'] as const;
export type MappingDirection = (typeof mappingDirections)[number];

/** One pair of fields. `ours` is `name`, `phone`, `email`, `language`, `opt_out` or `custom.<key>`; `theirs` is a name of the vendor. */
export type FieldMapping = {
  ours: string;
  theirs: string;
  direction: MappingDirection;
  wins: MappingWinner;
};

/** A field of the vendor that can be mapped. */
export type RemoteField = {
  name: string;
  /** The vendor's own label, or the name. */
  label: string;
  isReadOnly: boolean;
  /** A point in time, with its hour. A date of ours is a day there, by the clocks of the workspace. */
  isMoment?: true;
  /** Its values, where there is a fixed list. */
  options?: readonly { value: string; label: string }[];
};

/** What a kind says of its contacts before an account is opened. */
export type ContactExchange = {
  /** What a new connection begins with. Holds `name` and `phone`. */
  mapping: readonly FieldMapping[];
  /** The vendor takes no writes: nothing is created there. */
  isReadOnly?: true;
  /** The vendor knows people by their address: of two contacts with one address only one can be there, and a write for the other would go to the same record. */
  isByEmail?: true;
  /** The field that holds an opt-out from messages, as `true`; absent where the vendor has none. An e-mail consent is no such field. */
  optOutField?: string;
  /** The fields that say when and where a person opted in to messages; absent where the vendor does not know both. */
  optIn?: { at: string; source: string };
};

/** A contact as the vendor has it. Values by the names of the vendor's fields, as text; null where there is nothing, absent where it has no such field. */
export type RemoteRecord = {
  id: string;
  /** When it was changed, by the vendor's clock. */
  updatedAt: Date;
  /** The latest moment by our clock at which it can have been, as far as the vendor tells its own. */
  editedAt: Date;
  /** It was deleted or archived there; values may be missing. */
  isDeleted: boolean;
  values: Readonly<Record<string, string | null>>;
};

/** What a vendor answered. A problem with `retryAfterMs` is worth a pause of so long. */
export type Reply<Value> =
  | { ok: true; value: Value }
  | { ok: false; problem: ConnectorProblem; detail: string | null; retryAfterMs: number | null };

/** `cursor` continues behind these records; after the last page it is where the next run begins. */
export type PulledPage = { records: readonly RemoteRecord[]; cursor: string; isLast: boolean };

/** One write: `externalId` null creates, or finds the record that an earlier attempt created by `phone` (E.164). */
export type PushedRecord = {
  externalId: string | null;
  phone: string | null;
  values: Readonly<Record<string, string | null>>;
};
export type PushOutcome = { ok: true; externalId: string } | { ok: false; detail: string };

/** The contacts of a connected account. No call throws for what the vendor says, and each may be repeated. */
export type ContactConnector = {
  listFields(): Promise<Reply<readonly RemoteField[]>>;
  /** The next page of changes, the oldest first; null as the cursor reads everything. At most 100 records. */
  pull(cursor: string | null, fields: readonly string[]): Promise<Reply<PulledPage>>;
  /** At most 100 ids. What is not there any more is absent from the answer. */
  fetch(ids: readonly string[], fields: readonly string[]): Promise<Reply<readonly RemoteRecord[]>>;
  /** Records that have one of these numbers (E.164) or addresses, also in other spellings where the vendor finds them. */
  find(
    keys: { phones: readonly string[]; emails: readonly string[] },
    fields: readonly string[],
  ): Promise<Reply<readonly RemoteRecord[]>>;
  /** At most 100 records; one outcome for each, in their order. */
  push(records: readonly PushedRecord[]): Promise<Reply<readonly PushOutcome[]>>;
};
