import { missingForFlow } from '@app/domain/automation/draft-rights';
import { can } from '../../shared/session.ts';

/** Whether the signed-in user may change or delete this workflow, or flow of the bot. Render again through `useSession`. */
export function mayChangeFlow(action: 'update' | 'delete', { isOwnDraft }: { isOwnDraft: boolean }): boolean {
  return missingForFlow(action, { may: can, isOwnDraft }) === undefined;
}
