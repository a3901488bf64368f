import { textOf } from '../../core/json.ts';
import { GraphError } from '../errors.ts';

/** A text that must be there and fit. */
export function need(value: unknown, name: string, limit: number): void {
  const text = textOf(value);
  if (text === undefined || text === '') missing(name);
  if (text.length > limit) invalid(`${name} is longer than ${limit} characters`);
}

export function distinct(values: (string | undefined)[], name: string): void {
  if (new Set(values).size !== values.length) invalid(`every ${name} must be different`);
}

export function missing(name: string): never {
  throw new GraphError(131008, { details: `Required parameter ${name} is missing` });
}

export function invalid(details: string): never {
  throw new GraphError(131009, { details });
}
