import { bubbleOf } from './bubble.js';
import { createComposer } from './composer.js';
import { api, element, iconButton, nameOf, notify } from './dom.js';
import { answersOf, menuOfMessage } from './message-menu.js';
import { menuOfPhone } from './phone-menu.js';
import { createSheet } from './sheet.js';
import { refresh, shared } from './state.js';

/**
 * The phone of one customer in a chat with one business number: `update` shows what is new, `focus` goes to where one writes.
 * `moved` is called when the customer has another number.
 */
export function createPhone(numberId, user, close, moved) {
  const picture = element('img', { className: 'picture', hidden: true, attributes: { alt: '' } });
  const title = element('h2', {});
  const windowLine = element('p', { className: 'window' });
  const typing = element('p', { className: 'typing', text: 'typing…', hidden: true });
  const whose = element('div', { className: 'whose' });
  const list = element('ol', {});
  const chat = element(
    'div',
    { className: 'bubbles', tabIndex: 0, attributes: { role: 'log', 'aria-label': 'Messages' } },
    list,
  );
  const menuButton = iconButton('more', 'This phone', () => menuOfPhone(phone), { className: 'quiet' });
  const node = element(
    'section',
    { className: 'phone', attributes: { 'aria-label': `Phone of ${nameOf(user)}` } },
    whose,
    element(
      'div',
      { className: 'phone-head' },
      iconButton('back', 'Put this phone away', close, { className: 'quiet back' }),
      picture,
      element('div', { className: 'partner' }, title, windowLine, typing),
      menuButton,
    ),
    chat,
  );
  const phone = {
    numberId,
    user,
    node,
    sheet: createSheet(node),
    owner: null,
    messages: [],
    business: () => shared.state.numbers.find(({ id }) => id === numberId),
    moved: (to) => moved(numberId, to),
    /** What the customer does to their phone or account. */
    control: async (act, body = {}) => {
      const path = `/_sandbox/whatsapp/users/${encodeURIComponent(user)}/${act}`;
      const answer = await api('POST', path, { phoneNumberId: numberId, ...body });
      if (answer) await refresh();
      return answer;
    },
    /** Sends something to the business; true when it left. */
    send: async (content) => {
      const input = { from: user, phoneNumberId: numberId, ...content };
      const answer = await api('POST', '/_sandbox/whatsapp/inbound', input);
      if (answer) await refresh();
      return answer !== null;
    },
    /** How a message is named in an answer to it. */
    contextOf: (message) => ({
      from:
        message.direction === 'out' ? (phone.business()?.displayPhoneNumber ?? '').replace(/\D/g, '') : user,
      id: message.messageId,
    }),
  };
  const composer = createComposer(phone);
  node.append(composer.node);
  phone.quote = composer.quote;

  const acts = {
    ...answersOf(phone),
    menu: (message) => menuOfMessage(phone, message),
    played: (message) =>
      message.direction === 'out' && phone.control('played', { messageId: message.messageId }),
  };
  const shown = new Map();
  let typingTimer;

  function showOwner() {
    const { owner } = phone;
    const name = owner.name ?? owner.username ?? '';
    whose.replaceChildren(
      element('strong', { text: name, attributes: { dir: 'auto' } }),
      element('span', { text: nameOf(user) }),
      element('span', { className: 'signal', text: owner.isOnline ? '' : 'no network' }),
    );
    const business = phone.business();
    title.textContent = business?.verifiedName ?? '';
    picture.hidden = !business?.picture;
    if (business?.picture && picture.getAttribute('src') !== business.picture) picture.src = business.picture;
    windowLine.textContent = [
      business?.displayPhoneNumber,
      owner.hasBlocked ? 'blocked' : windowText(owner.windowEnd),
    ].join(' · ');
    clearTimeout(typingTimer);
    const left = owner.typingUntil - Date.now();
    typing.hidden = left <= 0;
    windowLine.hidden = left > 0;
    if (left > 0) typingTimer = setTimeout(showOwner, left + 20);
  }

  /** Only bubbles that are new or other than before are made, so that a voice that plays goes on. */
  function showMessages() {
    const isAtEnd = chat.scrollHeight - chat.scrollTop - chat.clientHeight < 80;
    const keys = new Set();
    phone.messages.forEach((message, position) => {
      keys.add(message.key);
      const text = JSON.stringify(message);
      const before = shown.get(message.key);
      if (before?.text !== text) {
        const item = bubbleOf(message, acts);
        if (before) before.item.replaceWith(item);
        shown.set(message.key, { text, item });
      }
      const { item } = shown.get(message.key);
      if (list.children[position] !== item) list.insertBefore(item, list.children[position] ?? null);
    });
    for (const [key, { item }] of shown) {
      if (keys.has(key)) continue;
      item.remove();
      shown.delete(key);
    }
    if (isAtEnd) chat.scrollTop = chat.scrollHeight;
  }

  /** What lies open before somebody's eyes is read, unless the phone keeps that for itself. */
  function tellReading() {
    const { owner, messages } = phone;
    const isNew = messages.some(({ direction, state }) => direction === 'out' && state === 'delivered');
    if (isNew && owner.tellsReading && !document.hidden) void phone.control('read');
  }

  return {
    node,
    focus: composer.focus,
    async update() {
      const query = new URLSearchParams({ number: numberId, user });
      const answer = await api('GET', `/_sandbox/page/phone?${query}`);
      if (!answer) return notify('This phone is out of reach.');
      Object.assign(phone, answer);
      showOwner();
      showMessages();
      tellReading();
    },
  };
}

function windowText(end) {
  const minutes = Math.ceil((end - Date.now()) / 60_000);
  if (minutes <= 0) return '24-hour window closed';
  return `window open for ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
