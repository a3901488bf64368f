import { openFlowHost } from '@app/api/automation/engine/flow-host';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { createFlowEngine } from '@app/flows/flow-engine';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger' | 'channelKinds'>;

/** Runs the engine of flows in this process; any number of processes may. */
export async function startFlowWorker(dependencies: Parts): Promise<{ stop(): Promise<void> }> {
  const engine = createFlowEngine(openFlowHost(dependencies));
  await engine.start();
  return engine;
}
