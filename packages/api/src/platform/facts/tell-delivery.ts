import { systemCaller } from '@app/domain/auth/caller';
import type { EmitDelivery } from '@app/delivery/emit-runs';
import type { Clock } from '../clock.ts';
import { emitFact } from './emit-facts.ts';

/** How the delivery engine emits: in its own name, with what led to the message or run. */
export function tellAsDelivery({ clock }: { clock: Clock }): EmitDelivery {
  return (client, workspaceId, fact, cause) =>
    emitFact(
      client,
      { caller: systemCaller('delivery', workspaceId), origin: null, cause, at: clock() },
      fact,
    );
}
