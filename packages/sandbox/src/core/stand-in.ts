import type { Hono } from 'hono';

/** `name` stands in `POST /_sandbox/{vendor}/events/{name}`, `value` is the value that it takes, if it takes one. */
export type StandInEvent = { name: string; text: string; value?: string };

/** One vendor: its own API at `/{name}`, and what people and tests change by hand at `/_sandbox/{name}`. */
export type StandIn<Account extends { reset(): void } = { reset(): void }> = {
  account: Account;
  /** The vendor's name, where a capital letter in front of `{name}` does not do. */
  title?: string;
  /** What can happen there besides changes of records. */
  events?: readonly StandInEvent[];
  routes: Hono;
  controls: Hono;
};
