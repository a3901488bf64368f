import { writeArray } from '../sql-array.ts';
import type { SqlClient } from '../sql-client.ts';

type ChannelOfRun = { channelId: string; kind: string };

const MOST_KNOWN = 10_000;

/** Remembers through which channel each run is sent. It never changes, and reports about one run come by the thousand. */
export class KnownRuns {
  readonly #channels = new Map<number, ChannelOfRun>();

  /** The channels of these runs. A run that is gone, or was never there, has none. */
  async read(client: SqlClient, runNos: readonly number[]): Promise<ReadonlyMap<number, ChannelOfRun>> {
    // Before the look, so that nothing of this batch is forgotten.
    if (this.#channels.size >= MOST_KNOWN) this.#channels.clear();
    const unknown = runNos.filter((runNo) => !this.#channels.has(runNo));
    if (unknown.length === 0) return this.#channels;
    const { rows } = await client.query<{ run_no: string; channel_id: string; kind: string }>({
      name: 'delivery_channels_of_runs',
      text: `SELECT run.run_no, run.channel_id, c.kind FROM delivery_runs run JOIN channels c ON c.id = run.channel_id
              WHERE run.run_no = ANY ($1::bigint[])`,
      values: [writeArray(unknown)],
    });
    for (const { run_no: runNo, channel_id: channelId, kind } of rows)
      this.#channels.set(Number(runNo), { channelId, kind });
    return this.#channels;
  }
}
