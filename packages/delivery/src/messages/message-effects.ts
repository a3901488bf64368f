import { holdContacts } from '@app/database/contacts/hold-contacts';
import { changeConsent } from '@app/database/contacts/change-consent';
import type { SettleEffect } from '../core/settle-decision.ts';
import { stopChannel } from '../run-controls.ts';
import type { SqlClient } from '../sql-client.ts';
import { emitRuns } from '../emit-runs.ts';
import type { OwnMessage } from './claim-message.ts';
import type { EmitFact } from './emit-message.ts';

/** What a refusal asks beyond its own message: what holds for a person or a number holds for campaigns, too. */
export async function applyMessageEffect(
  client: SqlClient,
  { workspaceId, channelId, contactId, to, cause }: OwnMessage,
  { effect, emit }: { effect: SettleEffect; emit: EmitFact },
): Promise<void> {
  switch (effect.kind) {
    case 'opt_out':
      if (contactId === null) return;
      await changeConsent(client, [
        {
          workspaceId,
          contactId,
          kind: 'opt_out',
          source: 'person',
          sender: to,
          at: new Date(),
          saidAt: null,
        },
      ]);
      return emit(
        { type: 'consents.said', subject: null, values: { optedOut: [contactId], optedIn: [] } },
        cause,
      );
    case 'hold_recipient':
      if (contactId === null) return;
      await holdContacts(client, [{ workspaceId, contactId, hours: effect.hours, from: new Date() }]);
      return emit(
        { type: 'contacts.platform_changed', subject: null, values: { contactIds: [contactId] } },
        cause,
      );
    case 'hold_channel':
      await client.query(
        `INSERT INTO delivery_channels AS d (channel_id, workspace_id, hold_until) VALUES ($1, $2, to_timestamp($3::double precision / 1000))
         ON CONFLICT (channel_id) DO UPDATE SET hold_until = greatest(d.hold_until, excluded.hold_until)`,
        [channelId, workspaceId, effect.untilMs],
      );
      return;
    case 'stop_channel': {
      const paused = await stopChannel(client, channelId, effect);
      return emitRuns(client, (_, __, fact, ofRun) => emit(fact, ofRun), paused);
    }
    // Speed is the campaigns' matter, and one message is no campaign.
    case 'channel_trouble':
    case 'lower_rate':
    case 'stop_campaign':
  }
}
