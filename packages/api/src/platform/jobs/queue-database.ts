import type { Database } from '@app/database/database';
import { keepListening } from '@app/database/keep-listening';
import type { Db } from 'pg-boss';

/** The connections of the queue: those of our own pool, whose errors hold no values. */
export function openQueueDatabase(
  { jobPool }: Pick<Database, 'jobPool'>,
  { isListening, onTrouble }: { isListening: () => boolean; onTrouble: (error: unknown) => void },
): Db {
  return {
    async executeSql(text, values) {
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
    },
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
}
