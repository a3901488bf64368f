import type { DeliveryLogger, PublishDelivery } from '../delivery-host.ts';
import { readRunProgress } from '../run-progress.ts';
import type { SqlClient } from '../sql-client.ts';

/** Gathers the runs that moved and tells the product about each once per flush. */
export class ProgressPublisher {
  readonly #client: SqlClient;
  readonly #publish: PublishDelivery;
  readonly #logger: DeliveryLogger;
  #moved = new Set<number>();
  #changed = new Set<number>();

  constructor(client: SqlClient, publish: PublishDelivery, logger: DeliveryLogger) {
    this.#client = client;
    this.#publish = publish;
    this.#logger = logger;
  }

  moved(runNo: number): void {
    this.#moved.add(runNo);
  }

  stateChanged(runNo: number): void {
    this.#changed.add(runNo);
  }

  async flush(): Promise<void> {
    const changed = this.#changed;
    const moved = this.#moved;
    const runNos = [...new Set([...changed, ...moved])];
    if (runNos.length === 0) return;
    this.#changed = new Set();
    this.#moved = new Set();
    const runs = await readRunProgress(this.#client, runNos).catch((error: unknown) => {
      this.#changed = new Set([...changed, ...this.#changed]);
      this.#moved = new Set([...moved, ...this.#moved]);
      throw error;
    });
    for (const run of runs) {
      try {
        await this.#publish({
          kind: changed.has(run.runNo) ? 'run_state' : 'run_progress',
          workspaceId: run.workspaceId,
          campaignId: run.campaignId,
          runNo: run.runNo,
          state: run.state,
          counters: run.counters,
          pause: run.pause,
        });
      } catch (error) {
        // Figures come again by themselves; a state that nobody was told of does not.
        if (changed.has(run.runNo)) this.#changed.add(run.runNo);
        this.#logger.warn('Progress of a run could not be published', {
          runNo: run.runNo,
          error: String(error),
        });
      }
    }
  }
}
