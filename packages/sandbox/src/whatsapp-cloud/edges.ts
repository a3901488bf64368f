import type { Platform } from './platform.ts';
import { GraphError, unknownNode } from './errors.ts';
import { unknownField } from './nodes/node-type.ts';
import { accountNode, appNode, businessNode, findBusiness } from './nodes/account-node.ts';
import { numberNode } from './nodes/number-node.ts';
import { templateNode } from './nodes/template-node.ts';
import type { App } from './store.ts';

export type NodeKind = 'number' | 'account' | 'template' | 'app' | 'business' | 'media' | 'upload';

export const nodeNames: Record<NodeKind, string> = {
  number: numberNode.name,
  account: accountNode.name,
  template: templateNode.name,
  app: appNode.name,
  business: businessNode.name,
  media: 'WhatsAppMedia',
  upload: 'FileUploadSession',
};

/** Which calls each kind of node knows; '' is the node itself. Everything else is refused before any route. */
// oxfmt-ignore
export const edges: Record<NodeKind, Record<string, string>> = {
  number: {
    '': 'GET POST', messages: 'POST', marketing_messages: 'POST', media: 'POST', register: 'POST', deregister: 'POST',
    request_code: 'POST', verify_code: 'POST', settings: 'GET POST', block_users: 'GET POST DELETE',
    whatsapp_business_profile: 'GET POST', message_qrdls: 'GET POST DELETE', conversational_automation: 'GET POST',
    whatsapp_commerce_settings: 'GET POST', whatsapp_business_encryption: 'GET POST', business_compliance_info: 'GET POST',
    official_business_account: 'GET', username: 'GET POST DELETE', username_suggestions: 'GET', contact_book: 'DELETE',
    calls: 'POST', call_permissions: 'GET', groups: 'GET POST',
  },
  account: {
    '': 'GET POST', phone_numbers: 'GET POST', message_templates: 'GET POST DELETE', subscribed_apps: 'GET POST DELETE',
    template_analytics: 'GET', assigned_users: 'GET', activities: 'GET', schedules: 'GET', solutions: 'GET',
    product_catalogs: 'GET', audiences: 'GET', flows: 'GET POST', message_template_library: 'GET',
  },
  template: { '': 'GET POST', unpause: 'POST' },
  app: { '': 'GET', uploads: 'POST', subscriptions: 'GET POST DELETE' },
  business: { '': 'GET', owned_whatsapp_business_accounts: 'GET', client_whatsapp_business_accounts: 'GET' },
  media: { '': 'GET DELETE' },
  upload: { '': 'GET POST' },
};

/** Calls that are not about one node. */
export const roots = ['oauth', 'debug_token', 'message_template_library'];

export function kindOf(platform: Platform, app: App, id: string): NodeKind | undefined {
  const { store } = platform;
  const accountId = store.numbers.get(id)?.accountId ?? store.templates.get(id)?.accountId ?? id;
  if (store.accounts.get(accountId)?.appIds.has(app.id)) {
    if (store.numbers.has(id)) return 'number';
    return store.templates.has(id) ? 'template' : 'account';
  }
  if (id === app.id) return 'app';
  if (id.startsWith('upload:')) return store.uploads.has(id) ? 'upload' : undefined;
  if (store.media.has(id)) return 'media';
  return findBusiness(platform, app, id) ? 'business' : undefined;
}

/** Refuses a call that no node of this kind has, in the platform's words. `path` begins with the id. */
export function checkEdge(platform: Platform, app: App, method: string, path: readonly string[]): void {
  const [id = '', edge = '', item] = path;
  if (roots.includes(id)) return;
  const isAddress =
    /^\d+$|^upload:/.test(id) && (path.length <= 2 || (path.length === 3 && edge === 'message_qrdls'));
  if (!isAddress)
    throw new GraphError(2500, {
      message: `Unknown path components: /${path.slice(edge ? 1 : 0).join('/')}`,
    });
  const kind = kindOf(platform, app, id);
  if (kind === undefined) throw unknownNode(id, method);
  const methods = edges[kind];
  const known = Object.hasOwn(methods, edge) ? methods[edge]?.split(' ') : undefined;
  if (known?.includes(method)) return;
  if (method === 'GET' && item === undefined) throw unknownField(edge, nodeNames[kind]);
  throw unknownNode(id, method);
}
