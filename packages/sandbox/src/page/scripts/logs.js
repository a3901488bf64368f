import { api, clock, element, find, notify } from './dom.js';
import { linked } from './formatting.js';

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

export function showMails(state) {
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
      element('pre', {}, ...linked(mail.text || mail.html || '')),
      ...mail.attachments.map((part) =>
        element('p', {
          className: 'hint',
          text: `Attached: ${part.filename} (${part.contentType}, ${part.size} bytes)`,
        }),
      ),
    ],
    'No mail yet.',
  );
}

export function showWebhooks(state) {
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

export function showCalls(state) {
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

export async function showCallback() {
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
