import { actions, resources, type Permission } from '@app/domain/auth/permissions';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';

export const keyErrorMessage = errorMessageOf({
  api_key_known: 'apiKeys.error.known',
  too_many_api_keys: 'apiKeys.error.limit',
  permission_not_held: 'apiKeys.error.notHeld',
  api_key_not_found: 'apiKeys.error.gone',
  api_key_expiry_invalid: 'apiKeys.error.expiry',
});

/** What a key is for, a line for each resource: Contacts: read, create. */
export function scopeLines(scopes: readonly string[]): string[] {
  return resources.flatMap((resource) => {
    const held = actions.filter((action) => scopes.includes(`${resource}:${action}` satisfies Permission));
    if (held.length === 0) return [];
    const said = held.map((action) => t(`apiKeys.action.${action}`)).join(', ');
    return [t('apiKeys.scopeLine', { resource: t(`apiKeys.resource.${resource}`), actions: said })];
  });
}
