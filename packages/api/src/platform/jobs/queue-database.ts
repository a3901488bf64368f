import type { Database } from '@app/database/database';
import { keepListening } from '@app/database/keep-listening';
import type { Db } from 'pg-boss';

/** By it a process says that it lives; whoever is late with it loses its jobs to another one, which does them again. */
const SIGN_OF_LIFE = /\bSET heartbeat_on = /;

/**
 * The connections of the queue: those of our own pool, whose errors hold no values. One is for signs of life alone, so that these come
 * also behind a statement that takes long; all others stand in line for one.
 */
export function openQueueDatabase(
  { jobPool }: Pick<Database, 'jobPool'>,
  { isListening, onTrouble }: { isListening: () => boolean; onTrouble: (error: unknown) => void },
): Db {
  let before: Promise<unknown> = Promise.resolve();
  const inLine = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = before.then(work);
    before = mine.catch(() => undefined);
    return mine;
  };
  return {
    executeSql: (text, values) =>
      SIGN_OF_LIFE.test(text) ? execute(text, values) : inLine(() => execute(text, values)),
    async listen(channel, onNotification, onReconnect) {
      // Who only leaves jobs to others has nobody to wake.
      if (!isListening()) return { close: async () => undefined };
      return keepListening({
        pool: jobPool,
        channels: [channel],
        onNotification: (_, payload) => onNotification(payload),
        onGap: onReconnect,
        onTrouble,
      });
    },
  };

  async function execute(text: string, values?: unknown[]) {
    const client = await jobPool.connect();
    let broken: Error | undefined;
    try {
      return await client.query(text, values);
    } catch (error) {
      // Texts of several statements open a transaction of their own, which a failure leaves open.
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
