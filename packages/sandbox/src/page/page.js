// The sandbox page. Text of messages is only ever set as text, never as markup.

let state = null;
let phone = null;
let shownPhone = '';

const find = (id) => document.getElementById(id);
const api = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) notify(answer?.error?.message ?? answer?.error?.problem ?? `HTTP ${response.status}`);
  return response.ok ? answer : null;
};

function element(name, properties = {}, ...children) {
  const { className, text, attributes = {}, on = {}, ...rest } = properties;
  const node = document.createElement(name);
  Object.assign(node, rest);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (const [event, act] of Object.entries(on)) node.addEventListener(event, act);
  node.append(...children.filter((child) => child !== null));
  return node;
}

let noticeTimer;
function notify(text) {
  find('notice').textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (find('notice').textContent = ''), 4000);
}

const clock = (at) =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });

// --- tabs, kept in the address
const tabs = [...document.querySelectorAll('[role=tab]')];
function showTab(name, focus = false) {
  for (const tab of tabs) {
    const isOn = tab.getAttribute('aria-controls') === name;
    tab.setAttribute('aria-selected', String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    find(tab.getAttribute('aria-controls')).hidden = !isOn;
    if (isOn && focus) tab.focus();
  }
}
for (const [position, tab] of tabs.entries()) {
  tab.addEventListener('click', () => (location.hash = tab.getAttribute('aria-controls')));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(position + step + tabs.length) % tabs.length];
    location.hash = next.getAttribute('aria-controls');
    next.focus();
  });
}
const tabFromAddress = () => {
  const name = location.hash.slice(1);
  showTab(tabs.some((tab) => tab.getAttribute('aria-controls') === name) ? name : 'phones');
};
addEventListener('hashchange', tabFromAddress);
tabFromAddress();

// --- phones
function showChats() {
  find('chats').replaceChildren(
    ...state.chats.map((chat) =>
      element(
        'li',
        {},
        element(
          'button',
          {
            attributes: {
              'aria-current': String(phone?.user === chat.user && phone?.numberId === chat.numberId),
            },
            on: { click: () => openPhone(chat.numberId, chat.user) },
          },
          element('strong', { text: chat.name ?? nameOf(chat.user) }),
          element('span', { className: 'at', text: clock(chat.at) }),
          element('span', { className: 'preview', text: chat.preview }),
        ),
      ),
    ),
  );
}

const nameOf = (user) => (/^\d+$/.test(user) ? `+${user}` : user);

async function openPhone(numberId, user) {
  phone = { numberId, user };
  shownPhone = '';
  find('phone').hidden = false;
  find('no-phone').hidden = true;
  document.querySelector('.phones').classList.add('open');
  showChats();
  await showPhone();
  find('reply-text').focus();
}

find('back').addEventListener('click', () => {
  document.querySelector('.phones').classList.remove('open');
  find('phone').hidden = true;
  find('no-phone').hidden = false;
  phone = null;
  showChats();
});

async function showPhone() {
  if (!phone) return;
  const query = new URLSearchParams({ number: phone.numberId, user: phone.user });
  const { messages } = await api('GET', `/_sandbox/page/phone?${query}`);
  const chat = state.chats.find((item) => item.user === phone.user && item.numberId === phone.numberId);
  const business = state.numbers.find((number) => number.id === phone.numberId);
  find('phone-title').textContent = `${chat?.name ?? ''} ${nameOf(phone.user)}`.trim();
  const windowText = chat?.isWindowOpen ? '24-hour window open' : '24-hour window closed';
  find('phone-window').textContent =
    `Chat with ${business?.verifiedName ?? ''} ${business?.displayPhoneNumber ?? ''} · ${windowText}`;
  const key = JSON.stringify(messages);
  if (key === shownPhone) return;
  shownPhone = key;
  const list = find('bubbles');
  list.replaceChildren(...messages.map(bubbleOf));
  list.scrollTop = list.scrollHeight;
}

function bubbleOf(message) {
  const ticks = { accepted: '🕓', sent: '✓', delivered: '✓✓', read: '✓✓', played: '✓✓', failed: '⚠' };
  return element(
    'li',
    { className: `bubble ${message.direction} ${message.state ?? ''}` },
    message.media ? mediaOf(message.media) : null,
    message.header ? element('div', { className: 'head', text: message.header }) : null,
    element('div', { className: 'body' }, ...formatted(message.body)),
    message.footer ? element('div', { className: 'foot', text: message.footer }) : null,
    message.failure
      ? element('div', { className: 'failure', text: `Not delivered. ${message.failure}` })
      : null,
    message.direction === 'note'
      ? null
      : element(
          'div',
          { className: 'meta' },
          clock(message.at),
          ' ',
          message.state
            ? element('span', {
                className: message.state === 'read' || message.state === 'played' ? 'seen' : '',
                text: ticks[message.state] ?? '',
                title: message.state,
                attributes: { role: 'img', 'aria-label': message.state },
              })
            : null,
        ),
    message.buttons.length
      ? element(
          'div',
          { className: 'buttons' },
          ...message.buttons.map((button) => buttonOf(message, button)),
        )
      : null,
  );
}

function buttonOf(message, button) {
  const isTap = button.answer !== null;
  return element('button', {
    text: `${isTap ? '↩ ' : '↗ '}${button.text}`,
    title: button.detail ?? '',
    attributes: isTap ? {} : { 'aria-disabled': 'true' },
    on: {
      click: () => {
        if (!isTap)
          return notify(
            `Opens on the phone: ${button.detail ?? button.text}. The business hears nothing of it.`,
          );
        const business = state.numbers.find((number) => number.id === phone.numberId);
        const context = {
          from: (business?.displayPhoneNumber ?? '').replace(/\D/g, ''),
          id: message.messageId,
        };
        return answer({ message: button.answer, context });
      },
    },
  });
}

function mediaOf({ type, address, label }) {
  if (address && (type === 'image' || type === 'sticker'))
    return element('img', { src: address, alt: label });
  if (address && type === 'video') return element('video', { src: address, controls: true });
  if (address && type === 'audio') return element('audio', { src: address, controls: true });
  return element('div', { className: 'foot', text: `📎 ${type}: ${label}` });
}

/** WhatsApp's marks: *bold*, _italic_, ~strike~, ```mono```. */
function formatted(text) {
  const nodes = [];
  const pattern =
    /```([^]+?)```|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<!\w)~(\S(?:[^~\n]*\S)?)~(?!\w)/g;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    nodes.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, mono, bold, italic, strike] = match;
    if (mono !== undefined) nodes.push(element('code', { text: mono }));
    else if (bold !== undefined) nodes.push(element('strong', {}, ...formatted(bold)));
    else if (italic !== undefined) nodes.push(element('em', {}, ...formatted(italic)));
    else nodes.push(element('s', {}, ...formatted(strike ?? '')));
  }
  nodes.push(text.slice(end));
  return nodes;
}

async function answer(content) {
  if (!phone) return;
  await api('POST', '/_sandbox/whatsapp/inbound', {
    from: phone.user,
    phoneNumberId: phone.numberId,
    ...content,
  });
  await refresh();
}

const examples = [
  ['Hello', () => answer({ text: 'Hello' })],
  ['STOP', () => answer({ text: 'STOP' })],
  ['START', () => answer({ text: 'START' })],
  [
    'Location',
    () =>
      answer({
        message: {
          type: 'location',
          location: { latitude: 51.5074, longitude: -0.1278, name: 'Shop', address: '1 High St, London' },
        },
      }),
  ],
  ['Picture', () => answer({ media: { mimeType: 'image/png', caption: 'A picture' } })],
  ['👍 to the last', () => react()],
  [
    'Contact',
    () =>
      answer({
        message: {
          type: 'contacts',
          contacts: [
            {
              name: { formatted_name: 'Bo Lee', first_name: 'Bo' },
              phones: [{ phone: '+44 7700 900301', wa_id: '447700900301', type: 'CELL' }],
            },
          ],
        },
      }),
  ],
  ['Stop marketing', () => preference('stop')],
  ['Resume marketing', () => preference('resume')],
];
find('examples').append(
  ...examples.map(([text, act]) => element('button', { text, type: 'button', on: { click: act } })),
);

async function react() {
  const query = new URLSearchParams({ number: phone.numberId, user: phone.user });
  const { messages } = await api('GET', `/_sandbox/page/phone?${query}`);
  const last = messages.filter((message) => message.direction === 'out').at(-1);
  if (!last) return notify('There is nothing to react to yet.');
  return answer({ message: { type: 'reaction', reaction: { message_id: last.messageId, emoji: '👍' } } });
}

async function preference(value) {
  await api('POST', `/_sandbox/whatsapp/users/${encodeURIComponent(phone.user)}/preference`, {
    value,
    phoneNumberId: phone.numberId,
  });
  notify(value === 'stop' ? 'Marketing stopped on this phone.' : 'Marketing resumed on this phone.');
}

find('reply').addEventListener('submit', async (event) => {
  event.preventDefault();
  const input = find('reply-text');
  if (input.value === '') return;
  const text = input.value;
  input.value = '';
  await answer({ text });
});

find('file').addEventListener('change', async (event) => {
  const file = event.target.files[0];
  event.target.value = '';
  if (!file) return;
  const address = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(file);
  });
  await answer({
    media: {
      mimeType: file.type || 'application/octet-stream',
      filename: file.name,
      data: address.slice(address.indexOf(',') + 1),
    },
  });
});

find('new-chat').addEventListener('submit', (event) => {
  event.preventDefault();
  const digits = find('new-number').value.replace(/\D/g, '');
  if (digits.length < 5) return notify('Give the phone number with its country code.');
  void openPhone(state.numbers[0].id, digits);
});

// --- lists that can be opened keep what is open
function openable(list, key, items, summaryOf, bodyOf, empty) {
  const open = new Set([...list.querySelectorAll('details[open]')].map((node) => node.dataset.key));
  const isReading = list.contains(document.activeElement);
  if (isReading && open.size > 0) return;
  list.replaceChildren(
    ...(items.length === 0 ? [element('p', { className: 'empty', text: empty })] : []),
    ...items.map((item) => {
      const node = element('details', {}, element('summary', {}, ...summaryOf(item)));
      node.dataset.key = String(key(item));
      const fill = async () => {
        if (node.open && node.children.length === 1) node.append(element('div', {}, ...(await bodyOf(item))));
      };
      node.addEventListener('toggle', fill);
      if (open.has(node.dataset.key)) node.open = true;
      return node;
    }),
  );
}

const badge = (text, isGood) => element('span', { className: `badge ${isGood ? 'good' : 'bad'}`, text });
const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

function showMails() {
  find('mail-hint').textContent =
    `Mail sent to port ${Number(location.port || 80) + 1} of this machine stays here.`;
  openable(
    find('mails'),
    (mail) => mail.id,
    state.mails,
    (mail) => [
      element('span', { className: 'grow', text: mail.subject || '(no subject)' }),
      element('span', { text: mail.to.join(', ') }),
      element('time', { text: clock(mail.at) }),
    ],
    (mail) => [
      element('p', { className: 'hint', text: `From ${mail.from} to ${mail.to.join(', ')}` }),
      element('pre', { text: mail.text || mail.html || '' }),
      ...mail.attachments.map((part) =>
        element('p', {
          className: 'hint',
          text: `📎 ${part.filename} (${part.contentType}, ${part.size} bytes)`,
        }),
      ),
    ],
    'No mail yet.',
  );
}

function showWebhooks() {
  openable(
    find('webhook-list'),
    (record) => record.id,
    state.webhooks,
    (record) => [
      badge(record.state, record.state === 'delivered'),
      element('span', { className: 'grow', text: record.summary }),
      element('span', { text: record.attemptCount === 1 ? '1 attempt' : `${record.attemptCount} attempts` }),
      element('time', { text: clock(record.createdAt) }),
    ],
    async (record) => {
      const whole = await api('GET', `/_sandbox/whatsapp/webhooks/${record.id}`);
      return [
        element('p', { className: 'hint', text: record.url }),
        ...record.attempts.map((attempt) =>
          element('p', {
            className: 'hint',
            text: `${clock(attempt.at)}: ${attempt.status ?? attempt.error} after ${attempt.milliseconds} ms`,
          }),
        ),
        element('button', {
          text: 'Send again',
          on: {
            click: async () =>
              (await api('POST', `/_sandbox/whatsapp/webhooks/${record.id}/replay`)) && notify('Sent again.'),
          },
        }),
        element('pre', { text: JSON.stringify(whole?.body ?? null, null, 2) }),
      ];
    },
    'No webhooks yet.',
  );
}

function showCalls() {
  openable(
    find('call-list'),
    (call) => `${call.at} ${call.path} ${call.milliseconds}`,
    state.calls,
    (call) => [
      badge(String(call.status || 'cut'), call.status === 200),
      element('span', { className: 'grow', text: `${call.method} ${call.path}` }),
      element('span', { text: `${Math.round(call.milliseconds)} ms` }),
      element('time', { text: clock(call.at) }),
    ],
    (call) => [
      ...(call.request
        ? [
            element('p', { className: 'hint', text: 'Request' }),
            element('pre', { text: pretty(call.request) }),
          ]
        : []),
      element('p', { className: 'hint', text: 'Answer' }),
      element('pre', { text: pretty(call.response) }),
    ],
    'No calls yet.',
  );
}

// --- switches
const choices = {
  windowError: ['async', 'sync', 'off'],
  webhookSignature: ['valid', 'wrong', 'missing'],
  throttleStatus: [400, 429],
  pricingEra: ['2025', '2026-10'],
};

function showBehaviour() {
  const form = find('behaviour');
  if (form.contains(document.activeElement)) return;
  form.replaceChildren(
    ...Object.entries(state.behaviour).map(([name, value]) => {
      const isChanged = JSON.stringify(value) !== JSON.stringify(state.usual[name]);
      return element(
        'label',
        {},
        element('span', { className: isChanged ? 'changed' : '', text: name }),
        fieldFor(name, value),
      );
    }),
  );
}

function fieldFor(name, value) {
  const save = (next) => api('POST', '/_sandbox/whatsapp/behaviour', { [name]: next }).then(refresh);
  const options = typeof value === 'boolean' ? [true, false] : choices[name];
  if (options) {
    const select = element('select', { on: { change: () => save(options[select.selectedIndex]) } });
    select.append(
      ...options.map((option) => element('option', { text: String(option), selected: option === value })),
    );
    return select;
  }
  const input = element('input', {
    value: value === null ? '' : String(value),
    placeholder: 'usual',
    inputMode: 'decimal',
    on: {
      change: () => {
        if (input.value === '') return save(state.usual[name]);
        const numbers = input.value.split(',').map(Number);
        return save(numbers.length > 1 ? numbers : numbers[0]);
      },
    },
  });
  return input;
}

find('break').addEventListener('submit', async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target));
  await api('POST', '/_sandbox/whatsapp/errors', {
    ...values,
    code: Number(values.code),
    count: Number(values.count),
  });
  await refresh();
});

function showQueued() {
  find('queued').replaceChildren(
    ...state.queuedErrors.map((item) =>
      element('li', {
        text: `${item.kind === 'error' ? `error ${item.code}` : item.kind} for the next ${item.remaining} calls to ${item.endpoint}`,
      }),
    ),
  );
}

function showTemplates() {
  const box = find('templates');
  if (box.contains(document.activeElement)) return;
  const statuses = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED'];
  const rows = state.templates.map((template) => {
    const select = element('select', {
      attributes: { 'aria-label': `Status of ${template.name}` },
      on: {
        change: () =>
          api('POST', `/_sandbox/whatsapp/templates/${template.id}`, { status: select.value }).then(refresh),
      },
    });
    select.append(
      ...statuses.map((status) => element('option', { text: status, selected: status === template.status })),
    );
    return element(
      'tr',
      {},
      element('td', { text: `${template.name} (${template.language})` }),
      element('td', { text: template.category }),
      element('td', {}, select),
    );
  });
  box.replaceChildren(element('table', {}, element('tbody', {}, ...rows)));
}

find('reset').addEventListener('click', async () => {
  await api('POST', '/_sandbox/reset');
  notify('Everything is as at the start.');
  await refresh();
});

async function showCallback() {
  const { apps } = await api('GET', '/_sandbox/whatsapp/webhook');
  const input = element('input', {
    value: apps[0]?.callbackUrl ?? '',
    attributes: { 'aria-label': 'Callback address' },
  });
  const form = find('callback');
  form.replaceChildren(input, element('button', { text: 'Save and verify' }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const result = await api('POST', '/_sandbox/whatsapp/webhook', { callbackUrl: input.value });
    if (result)
      notify(
        result.handshake?.ok
          ? 'Saved; the handshake succeeded.'
          : `Saved; the handshake failed: ${result.handshake?.error}`,
      );
  };
}

async function showConstants() {
  const [{ numbers }, { codes }] = await Promise.all([
    api('GET', '/_sandbox/page/magic-numbers'),
    api('GET', '/_sandbox/whatsapp/error-codes'),
  ]);
  find('magic').tBodies[0].replaceChildren(
    ...numbers.map((row) =>
      element('tr', {}, element('td', { text: row.number }), element('td', { text: row.about })),
    ),
  );
  find('codes').append(
    ...codes.map(({ code, title }) =>
      element('option', { value: code, text: `${code} ${title}`, selected: code === 131000 }),
    ),
  );
}

async function showFigures() {
  const stats = await api('GET', '/_sandbox/whatsapp/stats');
  find('figures').textContent =
    `${stats.accepted} accepted · ${stats.statusesSent} statuses · ${stats.webhooks.pending} webhooks waiting`;
}

async function refresh() {
  const next = await api('GET', `/_sandbox/page/state?since=${state?.version ?? ''}`);
  if (!next) return;
  state = next;
  showChats();
  showMails();
  showWebhooks();
  showCalls();
  showBehaviour();
  showQueued();
  showTemplates();
  await Promise.all([showPhone(), showFigures()]);
}

async function follow() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    notify('The sandbox does not answer.');
  }
  setTimeout(follow, 1000);
}

void showConstants();
void showCallback();
void follow();
