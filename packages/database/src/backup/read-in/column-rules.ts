/**
 * How a value of an archive comes into another place, as an expression over the staged row `s`. `$1` is the workspace, `$2` the place by which ids
 * move (null where they stay), and `$3` what people and the workspace are here, as JSON by their ids there.
 */
export type ColumnRule = (column: string) => string;

const PEOPLE = '$3::jsonb';

/** A row's own id, or that of another row of the archive. Where that is not in it, it is the id of nothing here. */
export const id: ColumnRule = (column) => `moved_id($2, s."${column}")`;
/** Several of them. */
export const ids: ColumnRule = (column) =>
  `ARRAY(SELECT moved_id($2, one) FROM unnest(s."${column}") WITH ORDINALITY AS u (one, place) ORDER BY place)`;
/** Always the workspace that it is read into. */
export const here: ColumnRule = () => '$1::uuid';
/** Whoever has the same e-mail here, or nobody. */
export const person: ColumnRule = (column) => `(${PEOPLE} ->> s."${column}"::text)::uuid`;
/** The same; the row is somebody's own, and stays behind where that one is not here. Nobody's stays nobody's. */
export const owner: ColumnRule = (column) => person(column);
/** Text that is an id at times, of a row or of somebody. */
export const textId: ColumnRule = (column) => `moved_text($2, ${PEOPLE}, s."${column}")`;
export const textIds: ColumnRule = (column) =>
  `ARRAY(SELECT moved_text($2, ${PEOPLE}, one) FROM unnest(s."${column}") WITH ORDINALITY AS u (one, place) ORDER BY place)`;
/** Each id in a document, wherever it stands. */
export const document: ColumnRule = (column) => `moved_json($2, ${PEOPLE}, s."${column}")`;
/** Those of them whose name says that they are one: the rest is what people wrote. */
export const message: ColumnRule = (column) => `moved_json($2, ${PEOPLE}, s."${column}", true)`;
/** As the platform wrote it: it knows none of our ids. */
export const asWritten: ColumnRule = (column) => `s."${column}"`;
/** The number of a run, which is one for the whole installation. */
export const run: ColumnRule = (column) =>
  `CASE WHEN $2::uuid IS NULL THEN s."${column}" ELSE (SELECT r.here FROM archive_runs r WHERE r.there = s."${column}") END`;
/** That of a message on its way. */
export const sendNumber: ColumnRule = (column) =>
  `CASE WHEN $2::uuid IS NULL OR s."${column}" IS NULL THEN s."${column}" ELSE nextval('message_numbers') END`;
/** Where its bytes lie here; bytes that the archive does not have are those of nothing. */
export const stored: ColumnRule = (column) =>
  `coalesce((SELECT f.here FROM archive_files f WHERE f.there = s."${column}"), $1::text || '/gone-' || md5(s."${column}"))`;
/** The same for bytes that a row can do without. */
export const storedOrNone: ColumnRule = (column) =>
  `(SELECT f.here FROM archive_files f WHERE f.there = s."${column}")`;
/** Only where it goes back to where it was. */
export const stays: ColumnRule = (column) => `CASE WHEN $2::uuid IS NULL THEN s."${column}" END`;
/** Whatever stood there. */
export const always =
  (expression: string): ColumnRule =>
  () =>
    expression;
/** How large the file of a row is, as its bytes in the archive say. */
export const storedSize = (key: string): ColumnRule =>
  always(`coalesce((SELECT f.bytes FROM archive_files f WHERE f.there = s.${key}), s.size)`);
/** Its checksum, in the same way. */
export const storedSha256 = (key: string): ColumnRule =>
  always(`coalesce((SELECT f.sha256 FROM archive_files f WHERE f.there = s.${key}), s.sha256)`);

/** The columns of a table whose rows have no id of their own. */
export const ofWorkspace = { workspace_id: here };
/** Those of one whose rows have. */
export const ofOwnId = { id, ...ofWorkspace };
