/** Keeps a value for the statement and answers with its placeholder, cast to the type: `$3::text`. */
export type BindValue = (value: unknown, type: string) => string;

/** A `BindValue` that appends to `values`, for statements sent to the driver as they are. */
export function bindTo(values: unknown[]): BindValue {
  return (value, type) => `$${values.push(value)}::${type}`;
}
