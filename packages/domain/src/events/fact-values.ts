/** Says whether a value is of its kind; what a fact tells is made of these alone, so that it can be read years later. */
export type Check<Value> = ((value: unknown) => value is Value) & {
  /** All that it can be, where that is a few words: a sentence about the fact may choose by them. */
  words?: readonly string[];
};

export const text: Check<string> = (value): value is string => typeof value === 'string';
export const whole: Check<number> = (value): value is number => Number.isSafeInteger(value);
export const flag: Check<boolean> = Object.assign(
  (value: unknown): value is boolean => typeof value === 'boolean',
  { words: ['true', 'false'] },
);

export function oneOf<const Word extends string>(words: readonly Word[]): Check<Word> {
  const check = (value: unknown): value is Word => words.some((word) => word === value);
  return Object.assign(check, { words });
}

export function listOf<Value>(check: Check<Value>): Check<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(check);
}

export function orNull<Value>(check: Check<Value>): Check<Value | null> {
  const checkOrNull = (value: unknown): value is Value | null => value === null || check(value);
  return check.words ? Object.assign(checkOrNull, { words: check.words }) : checkOrNull;
}

/** What a field can hold: a date is its text. */
export type FieldValue = string | number | boolean | null;
/** One field of a row that changed: its name, or `custom.` and the key of a custom field. */
export type FieldChange = { field: string; before: FieldValue; after: FieldValue };

export const fieldChange: Check<FieldChange> = (value): value is FieldChange => {
  if (typeof value !== 'object' || value === null) return false;
  const { field, before, after, ...rest } = value as Record<string, unknown>;
  return text(field) && isFieldValue(before) && isFieldValue(after) && Object.keys(rest).length === 0;
};

function isFieldValue(value: unknown): value is FieldValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

export type FactShape = Record<string, Check<unknown>>;
export type ValuesOf<Shape extends FactShape> = {
  [Name in keyof Shape]: Shape[Name] extends Check<infer Value> ? Value : never;
};

/** The first name that is missing, wrong or not of the shape. */
export function findWrongValue(shape: FactShape, values: Record<string, unknown>): string | undefined {
  const wrong = Object.entries(shape).find(([name, check]) => !check(values[name]));
  return wrong?.[0] ?? Object.keys(values).find((name) => !(name in shape));
}
