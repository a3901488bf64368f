import { agentOfConsole, listAgents, showRcsAgent } from './rcs-agent.js';
import { bubbleOfEntry } from './rcs-bubble.js';
import { api, button, element, find, iconButton, notify, shortClock } from './dom.js';

let phones = [];
/** The phone and the agent of the open chat. */
let opened = null;
let draft = '';
/** Which app the phone shows the messages in. */
let look = 'android';
const looks = { android: 'Android', ios: 'iPhone' };

/** The phones of people with RCS, the newest message first. */
export async function showRcs() {
  if (find('rcs').hidden && phones.length > 0) return;
  const answer = await api('GET', '/_sandbox/rcs/phones');
  if (!answer) return;
  const news = JSON.stringify(answer.phones);
  if (news === showRcs.shown) return;
  showRcs.shown = news;
  phones = answer.phones.toSorted((one, other) => lastOf(other) - lastOf(one));
  draw();
}
const isOpen = ({ phone, agentId }) => phone === opened?.phone && agentId === opened.agentId;
const lastOf = (phone) => phone.entries.at(-1)?.at ?? 0;

function draw() {
  find('rcs-no-chats').hidden = phones.length > 0;
  find('rcs-chats').replaceChildren(...phones.map(chatOf));
  const phone = phones.find(isOpen);
  find('rcs-no-phone').hidden = phone !== undefined;
  document.querySelector('.rcs').classList.toggle('open', phone !== undefined);
  const hadFocus = document.activeElement?.id === 'rcs-answer';
  find('rcs-table').replaceChildren(...(phone ? [phoneOf(phone)] : []));
  if (hadFocus) find('rcs-answer')?.focus();
  const log = find('rcs-log');
  if (log) log.scrollTop = log.scrollHeight;
}

function chatOf(chat) {
  const { phone, agentId, entries } = chat;
  const hasSeveral = phones.some((one) => one.agentId !== agentId);
  const last = entries.at(-1);
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        attributes: { 'aria-pressed': String(isOpen(chat)) },
        on: { click: () => open(chat) },
      },
      element('strong', { text: phone }),
      hasSeveral ? element('span', { text: agentId }) : null,
      element('span', { className: 'at', text: last ? shortClock(last.at) : '' }),
    ),
  );
}

async function open(chat) {
  opened = chat && { phone: chat.phone, agentId: chat.agentId };
  draw();
  await act(opened, { read: true });
}

function phoneOf(chat) {
  const { phone, agentId, behaviour, entries } = chat;
  const answer = element('input', {
    id: 'rcs-answer',
    value: draft,
    autocomplete: 'off',
    attributes: { 'aria-label': 'Answer' },
    on: { input: ({ target }) => (draft = target.value) },
  });
  const send = (event) => {
    event.preventDefault();
    const text = draft.trim();
    if (text === '') return;
    draft = '';
    void act(chat, { text });
  };
  return element(
    'section',
    { className: `phone rcs-${look}`, attributes: { 'aria-label': `Phone of ${phone}` } },
    element(
      'div',
      { className: 'whose' },
      element('strong', { text: phone }),
      element('span', { className: 'signal', text: behaviour }),
    ),
    element(
      'div',
      { className: 'rcs-looks', attributes: { role: 'group', 'aria-label': 'Message app' } },
      ...Object.entries(looks).map(([name, text]) => lookButton(name, text)),
    ),
    element(
      'div',
      { className: 'phone-head' },
      iconButton('back', 'Put this phone away', () => void open(null), { className: 'quiet back' }),
      element('div', { className: 'partner' }, element('h2', { text: agentId })),
    ),
    element(
      'div',
      {
        id: 'rcs-log',
        className: 'bubbles',
        tabIndex: 0,
        attributes: { role: 'log', 'aria-label': 'Messages' },
      },
      element(
        'ol',
        {},
        ...entries.map((entry, index) =>
          bubbleOfEntry(entry, {
            ...{ look, isNewest: index === entries.length - 1 },
            tap: (tap) => void act(chat, { tap }),
          }),
        ),
      ),
    ),
    element(
      'div',
      { className: 'rcs-acts' },
      button('Share location', () => void act(chat, { location: { latitude: 52.52, longitude: 13.405 } })),
      button('Send a file', () => void act(chat, { file: sampleFile })),
      button('Unsubscribe', () => void act(chat, { unsubscribe: true })),
      button('Subscribe', () => void act(chat, { subscribe: true })),
    ),
    element(
      'form',
      { className: 'rcs-composer', on: { submit: send } },
      answer,
      element('button', { text: 'Send' }),
    ),
  );
}

function lookButton(name, text) {
  return element('button', {
    ...{ type: 'button', text },
    attributes: { 'aria-pressed': String(name === look) },
    on: {
      click: () => {
        look = name;
        draw();
        document.querySelector('.rcs-looks [aria-pressed="true"]')?.focus();
      },
    },
  });
}

/** A picture of one pixel. */
const sampleFile = {
  mimeType: 'image/png',
  fileName: 'picture.png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

async function act(chat, what) {
  if (chat === null) return;
  await api('POST', '/_sandbox/rcs/inbound', { from: chat.phone, agentId: chat.agentId, ...what });
  await showRcs();
}

find('rcs-new-chat').addEventListener('submit', async (event) => {
  event.preventDefault();
  const from = `+${find('rcs-number').value.replace(/\D/g, '')}`;
  if (!/^\+[1-9]\d{6,14}$/.test(from)) return notify('Give the phone number with its country code.');
  opened = { phone: from, agentId: agentOfConsole() };
  await act(opened, { text: find('rcs-text').value });
});

// --- what the console of the vendor shows
async function showConsole() {
  const agentId = agentOfConsole();
  const [file, webhook] = await Promise.all([
    api('GET', '/_sandbox/rcs/service-account'),
    api('GET', `/_sandbox/rcs/webhook?agentId=${agentId}`),
  ]);
  if (!file || !webhook) return;
  const key = JSON.stringify(file);
  const copied = (text) =>
    button('Copy', () => navigator.clipboard.writeText(text).then(() => notify('Copied.')));
  const row = (name, shown, text) => [
    element('dt', { text: name }),
    element('dd', {}, element('code', { text: shown }), copied(text)),
  ];
  const form = find('rcs-webhook');
  form.callbackUrl.value = webhook.callbackUrl ?? '';
  form.clientToken.value = webhook.clientToken;
  find('rcs-console').replaceChildren(
    ...row('Agent id', agentId, agentId),
    ...row('Key file of the service account', file.client_email, key),
    ...row('Client token', webhook.clientToken, webhook.clientToken),
  );
}

find('rcs-webhook').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { callbackUrl, clientToken } = event.target;
  const answer = await api('POST', '/_sandbox/rcs/webhook', {
    ...{ callbackUrl: callbackUrl.value, clientToken: clientToken.value, agentId: agentOfConsole() },
  });
  const shaken = answer?.handshake;
  find('rcs-handshake').textContent = shaken?.ok
    ? 'The address answered the secret: webhooks go there.'
    : `The address did not prove itself: ${shaken?.error ?? shaken?.status ?? ''}`;
  await showConsole();
});

find('rcs-agent').addEventListener('change', () => {
  find('rcs-handshake').textContent = '';
  void Promise.all([showConsole(), showRcsAgent()]);
});

find('rcs-add-agent').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { id } = event.target.elements;
  const added = await api('POST', '/_sandbox/rcs/agents', { id: id.value });
  if (!added) return;
  id.value = '';
  await listAgents(added.id);
  await Promise.all([showConsole(), showRcsAgent()]);
});

void listAgents().then(showConsole);
