import { api, button, clock, element, find, notify } from './dom.js';
import { addFreshNumber, describeNumber } from './console-numbers.js';
import { refresh } from './state.js';
import { fill } from './switches.js';

const PERMISSIONS = ['whatsapp_business_messaging', 'whatsapp_business_management'];
const HOUR = 3_600_000;
const TROUBLE = ['tokenProblem', 'appSecretChanged', 'numbersElsewhere'];
const PROBLEMS = { expired: 'ended', revoked: 'revoked', 'no-permission': 'may nothing' };

let shown = '';

/** What the vendor's sites show to whoever connects a number, and what their owner can do there. */
export function showConsole(state) {
  fill(find('console-trouble'), state, TROUBLE);
  const next = JSON.stringify(state.console);
  if (next === shown) return;
  shown = next;
  const box = find('console-apps');
  const focused = box.contains(document.activeElement) ? document.activeElement.id : '';
  box.replaceChildren(...state.console.map(describeApp));
  if (focused) find(focused)?.focus();
}

function describeApp(app) {
  return element(
    'article',
    { className: 'app', attributes: { 'aria-label': app.name } },
    element('h3', { text: `App: ${app.name}` }),
    copied('App ID', app.id, `app-${app.id}`),
    copied('App Secret', app.secret, `secret-${app.id}`),
    ...app.accounts.flatMap((account) => describeAccount(app, account)),
    element('h4', { text: 'Access tokens of the system user' }),
    ...validFirst(app.tokens).map((token, position) =>
      describeToken(app, token, `token-${app.id}-${position}`),
    ),
    element(
      'p',
      { className: 'row' },
      button('Generate token', () => generate(app, undefined), { id: `new-token-${app.id}` }),
      button('Generate one that ends in an hour', () => generate(app, Date.now() + HOUR), {
        id: `hour-token-${app.id}`,
      }),
    ),
  );
}

function describeAccount(app, account) {
  const fields = app.fields?.join(', ') ?? 'all fields';
  const address = account.override ?? app.callbackUrl;
  return [
    element('h4', { text: `WhatsApp Business Account: ${account.name}` }),
    copied('Business Account ID', account.id, `account-${app.id}-${account.id}`),
    ...account.numbers.map((number) =>
      describeNumber(
        number,
        copied(`Phone Number ID of ${number.displayPhoneNumber}`, number.id, `number-${app.id}-${number.id}`),
      ),
    ),
    element(
      'p',
      {},
      addFreshNumber({ ...account, appId: app.id, accessToken: validFirst(app.tokens)[0]?.value }),
    ),
    element('p', {
      className: 'hint',
      text:
        address && account.isSubscribed && app.fields?.length !== 0
          ? `Webhooks go to ${address} (${fields}).`
          : 'Webhooks go nowhere: press Subscribe in the product.',
    }),
  ];
}

function describeToken(app, token, id) {
  const save = (changes) =>
    api('POST', '/_sandbox/whatsapp/tokens', {
      ...{ token: token.value, appId: app.id, problem: token.problem, permissions: token.permissions },
      ...(token.expiresAt !== null && { expiresAt: token.expiresAt }),
      ...changes,
    }).then(refresh);
  const isGood = token.problem === null;
  const end = token.expiresAt === null ? 'never ends' : `ends at ${clock(token.expiresAt)}`;
  return element(
    'div',
    { className: 'token' },
    copied('Access Token', token.value, id),
    element(
      'div',
      { className: 'row' },
      element('span', {
        className: `badge ${isGood ? 'good' : 'bad'}`,
        text: isGood ? end : PROBLEMS[token.problem],
      }),
      ...PERMISSIONS.map((permission) =>
        element(
          'label',
          { className: 'permission' },
          element('input', {
            type: 'checkbox',
            id: `${id}-${permission}`,
            checked: token.permissions.includes(permission),
            on: {
              change: ({ target }) =>
                save({
                  problem: token.problem === 'no-permission' ? null : token.problem,
                  permissions: PERMISSIONS.filter((one) =>
                    one === permission ? target.checked : token.permissions.includes(one),
                  ),
                }),
            },
          }),
          permission,
        ),
      ),
      isGood
        ? button('End it now', () => save({ problem: 'expired' }), { id: `${id}-end` })
        : button('Make it valid', () => save({ problem: null, expiresAt: null, permissions: PERMISSIONS }), {
            id: `${id}-end`,
          }),
    ),
  );
}

const validFirst = (tokens) =>
  tokens.toSorted((a, b) => Number(a.problem !== null) - Number(b.problem !== null));

/** A value with a press that copies it. */
function copied(label, value, id) {
  const input = element('input', { id, value, readOnly: true, on: { focus: () => input.select() } });
  return element(
    'div',
    { className: 'row value' },
    element('label', {}, label, input),
    button('Copy', () => copy(label, input), {
      id: `${id}-copy`,
      attributes: { 'aria-label': `Copy ${label}` },
    }),
  );
}

async function copy(label, input) {
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    // Pages without https may not write by themselves; the older way asks for a selection.
    input.select();
    document.execCommand('copy');
  }
  notify(`${label} copied.`);
}

async function generate(app, expiresAt) {
  const bytes = [...crypto.getRandomValues(new Uint8Array(18))];
  const token = `EAAsandbox${bytes.map((byte) => byte.toString(36).padStart(2, '0')).join('')}`;
  await api('POST', '/_sandbox/whatsapp/tokens', { token, appId: app.id, ...(expiresAt && { expiresAt }) });
  await refresh();
}

find('console-add').addEventListener('click', async () => {
  const digits = String(crypto.getRandomValues(new Uint32Array(1))[0] % 10_000).padStart(4, '0');
  const made = await api('POST', '/_sandbox/whatsapp/numbers', {
    name: 'New business',
    displayPhoneNumber: `+44 7700 90${digits}`,
    appId: `3${Date.now()}`,
    appSecret: `secret-${Date.now().toString(36)}`,
    accessToken: `EAAsandbox${Date.now().toString(36)}`,
    subscribed: false,
    // A new app of the vendor is told of nothing.
    fields: [],
  });
  if (made) notify('A business with one number was created.');
  await refresh();
});
