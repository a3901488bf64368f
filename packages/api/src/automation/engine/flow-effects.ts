import type { RunEffect } from '@app/flows/flow-host';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { addNote, assignConversation } from './effects/conversation-effects.ts';
import type { EffectParts } from './effects/effect-parts.ts';
import { recordOptIn } from './effects/consent-effect.ts';
import { setField } from './effects/field-effect.ts';
import { checkContact, startBotFlow, startWorkflow } from './effects/logic-effects.ts';
import { addTag, removeTag } from './effects/tag-effects.ts';
import { sendMessageEffect } from './effects/send-message-effect.ts';
import { addToCampaign } from './later/add-to-campaign.ts';
import { emailNotification } from './later/email-notification.ts';
import { webhookCall } from './later/webhook-call.ts';

/** What each kind of effect does, by the name under which steps ask for it: one line each. */
export function flowEffects(parts: EffectParts): Record<string, RunEffect<WorkspaceScope>> {
  return {
    send_message: sendMessageEffect(parts),
    add_tag: addTag,
    remove_tag: removeTag,
    set_field: setField(parts),
    assign_conversation: assignConversation,
    add_note: addNote,
    add_to_campaign: addToCampaign(parts),
    email_notification: emailNotification(parts),
    webhook_call: webhookCall(parts),
    check_contact: checkContact,
    start_workflow: startWorkflow,
    start_bot_flow: startBotFlow,
    record_opt_in: recordOptIn,
  };
}
