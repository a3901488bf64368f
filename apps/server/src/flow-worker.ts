import { openFlowHost, type FlowHostParts } from '@app/api/automation/engine/flow-host';
import { listFlowEffects } from '@app/api/features';
import { createFlowEngine } from '@app/flows/flow-engine';

/** Runs the engine of flows in this process; any number of processes may. */
export async function startFlowWorker(dependencies: FlowHostParts): Promise<{ stop(): Promise<void> }> {
  const engine = createFlowEngine(openFlowHost(dependencies, listFlowEffects(dependencies)));
  await engine.start();
  return engine;
}
