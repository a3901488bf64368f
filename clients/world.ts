import { afterAll, beforeAll } from 'vitest';
import {
  startReceiver,
  startSandbox,
  type Receiver,
  type StartedSandbox,
} from '../packages/sandbox/test/started-sandbox.ts';

export const token = 'sandbox-access-token';
export const account = '100000000000001';
export const number = '200000000000001';
export const customer = '+447700900201';
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

/** A started sandbox with a customer who has written, a picture and a place where webhooks arrive. */
export interface World {
  started: StartedSandbox;
  receiver: Receiver;
  /** What stands for https://graph.facebook.com. */
  base: string;
  /** Id of a message that the customer wrote. */
  written: string;
  picture: string;
  /** A number that nobody has registered yet. */
  freshNumber(): Promise<string>;
}

/** One world for all tests of a file. */
export function useWorld(): World {
  const world = {} as World; // filled before the first test
  beforeAll(async () => {
    const receiver = await startReceiver();
    const started = await startSandbox({
      whatsappCallbackUrl: receiver.url,
      behaviour: { pairLimit: false, reviewDelayMs: 0, templatesPerHour: 0 },
    });
    const inbound = await started.control('POST', 'whatsapp/inbound', {
      from: customer,
      name: 'Ann',
      text: 'Hello',
    });
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob([png], { type: 'image/png' }), 'a.png');
    const upload = await started.graph('POST', `${number}/media`, form);
    Object.assign(world, {
      ...{ started, receiver, base: `${started.url}/graph` },
      ...{ written: String(inbound.at('messageId')), picture: String(upload.at('id')) },
      freshNumber: async () => {
        const values = { cc: '44', phone_number: '7700900188', verified_name: 'Fresh' };
        return String((await started.graph('POST', `${account}/phone_numbers`, values)).at('id'));
      },
    });
  });
  afterAll(async () => {
    await world.started?.close();
    await world.receiver?.close();
  });
  return world;
}

/** The methods that a class or object offers by name, its own helpers left out. */
export function methodsOf(owner: object, helpers: readonly string[] = []): string[] {
  return Object.getOwnPropertyNames(owner).filter(
    (name) =>
      name !== 'constructor' && !name.startsWith('_') && !name.startsWith('$') && !helpers.includes(name),
  );
}

/** Rejects as the row of a table does; true once its expectations have held. */
export async function passed(row: Promise<unknown> | undefined): Promise<boolean> {
  if (!row) throw new Error('There is no such row');
  await row;
  return true;
}
