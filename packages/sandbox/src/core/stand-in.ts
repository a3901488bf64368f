import type { Hono } from 'hono';

/** One vendor: its own API at `/{name}`, and what people and tests change by hand at `/_sandbox/{name}`. */
export type StandIn<Account extends { reset(): void } = { reset(): void }> = {
  account: Account;
  routes: Hono;
  controls: Hono;
};
