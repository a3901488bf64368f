import type { AccountNews } from '@app/domain/channels/channel-connector';
import { ProviderRejected } from '../provider-errors.ts';
import type { AccountCalls, AppWebhook } from './account-calls.ts';
import { reasonOf } from './ask-platform.ts';

/** Of what the product must hear: without one of these it shows something that is not so any more. */
export const neededFields: readonly string[] = [
  'messages',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'account_update',
  'account_alerts',
  'business_capability_update',
];

/** What it understands besides; not every app may have them. */
const furtherFields: readonly string[] = [
  'message_template_components_update',
  'account_review_update',
  'security',
  'smb_message_echoes',
  'history',
  'smb_app_state_sync',
  'calls',
  'flows',
];

/** The platform's code for an address that did not answer as it should. */
const CALLED_IN_VAIN = '2200';

type Calls = Pick<AccountCalls, 'getAppWebhook' | 'registerWebhook'>;
type Own = { appSecret: string; callbackUrl: string; verifyToken: string };

export function missingOf(app: AppWebhook | null): string[] {
  return neededFields.filter((field) => !app?.isActive || !app.fields.includes(field));
}

/** Null when the platform does not say: an app that may not be asked may be told of everything. */
export async function readAppWebhook(
  client: Calls,
  appSecret: string,
  mustHold: (refusal: ProviderRejected) => boolean = () => false,
): Promise<{ app: AppWebhook | null } | null> {
  try {
    return { app: await client.getAppWebhook(appSecret) };
  } catch (error) {
    if (!(error instanceof ProviderRejected) || error.retryable || mustHold(error)) throw error;
    return null;
  }
}

/**
 * Has the app be told of everything that is needed, and takes nothing away from it: what it has stays, and so does an address that is of
 * another product, as the account has an address of its own. Throws where that is about the credentials or about our address.
 */
export async function completeFields(
  client: Calls,
  own: Own,
  isOfCredentials: (code: string) => boolean,
): Promise<AccountNews> {
  const before = await readAppWebhook(client, own.appSecret, ({ code }) => isOfCredentials(code));
  if (before === null) return { added: [], missing: null, appAddress: null, reason: null };
  const lacked = missingOf(before.app);
  const tell = (app: AppWebhook | null, reason: string | null): AccountNews => {
    const missing = missingOf(app);
    const added = lacked.filter((field) => !missing.includes(field));
    return { added, missing, appAddress: app?.address ?? null, reason };
  };
  if (lacked.length === 0) return tell(before.app, null);
  const callbackUrl = before.app?.address ?? own.callbackUrl;
  try {
    await registerMost(client, { ...own, callbackUrl }, before.app?.fields ?? []);
  } catch (error) {
    if (!(error instanceof ProviderRejected) || error.retryable || isOfCredentials(error.code)) throw error;
    if (wasCalledInVain(error) && callbackUrl === own.callbackUrl) throw error;
    return tell(before.app, reasonOf(error));
  }
  // What it took is asked, not believed.
  const after = await readAppWebhook(client, own.appSecret);
  return after ? tell(after.app, null) : { ...tell(before.app, null), missing: null };
}

/** One name that an app may not have refuses all of them: without the further ones, the needed ones are still to be had. */
async function registerMost(client: Calls, own: Own, kept: readonly string[]): Promise<void> {
  const register = (fields: readonly string[]) =>
    client.registerWebhook({ ...own, fields: [...new Set([...kept, ...fields])] });
  try {
    await register([...neededFields, ...furtherFields]);
  } catch (error) {
    if (!(error instanceof ProviderRejected) || error.code !== '100' || wasCalledInVain(error)) throw error;
    await register(neededFields);
  }
}

function wasCalledInVain({ code, subcode }: ProviderRejected): boolean {
  return code === CALLED_IN_VAIN || subcode === CALLED_IN_VAIN;
}
