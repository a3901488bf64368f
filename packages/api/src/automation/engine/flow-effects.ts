import type { RunEffect } from '@app/flows/flow-host';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { EffectParts } from './effects/effect-parts.ts';
import { checkContact, startWorkflow } from './effects/logic-effects.ts';
import { addTag, removeTag } from './effects/tag-effects.ts';
import { sendMessageEffect } from './effects/send-message-effect.ts';

/** What each kind of effect does, by the name under which steps ask for it: one line each. */
export function flowEffects(parts: EffectParts): Record<string, RunEffect<WorkspaceScope>> {
  return {
    send_message: sendMessageEffect(parts),
    add_tag: addTag,
    remove_tag: removeTag,
    check_contact: checkContact,
    start_workflow: startWorkflow,
  };
}
