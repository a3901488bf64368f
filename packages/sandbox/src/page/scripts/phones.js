import { api, clock, element, find, nameOf, notify } from './dom.js';
import { letCrowdWrite } from './crowd.js';
import { createPhone } from './phone.js';
import { shared } from './state.js';

/** The phones that lie on the table, in the order in which they were taken up. */
const opened = [];
const keyOf = (numberId, user) => `${numberId}/${user}`;

export function showChats() {
  const { state } = shared;
  if (!state) return;
  const select = find('new-business');
  if (select.length !== state.numbers.length)
    select.replaceChildren(
      ...state.numbers.map((number) =>
        element('option', {
          value: number.id,
          text: `to ${number.verifiedName} ${number.displayPhoneNumber}`,
        }),
      ),
    );
  select.hidden = state.numbers.length < 2;
  find('no-chats').hidden = state.chats.length > 0;
  const hadFocus = document.activeElement?.closest('#chats button')?.dataset.key;
  find('chats').replaceChildren(...state.chats.map(chatOf));
  if (hadFocus)
    find('chats')
      .querySelector(`[data-key="${CSS.escape(hadFocus)}"]`)
      ?.focus();
}

function chatOf(chat) {
  const key = keyOf(chat.numberId, chat.user);
  const open = element(
    'button',
    {
      type: 'button',
      attributes: { 'aria-pressed': String(opened.some((phone) => phone.key === key)) },
      on: { click: () => takeUp(chat.numberId, chat.user) },
    },
    element('strong', { text: chat.name ?? nameOf(chat.user), attributes: { dir: 'auto' } }),
    element('span', { className: 'at', text: clock(chat.at) }),
    element('span', { className: 'preview', text: chat.preview, attributes: { dir: 'auto' } }),
    chat.unread > 0
      ? element('span', {
          className: 'unread',
          text: chat.unread > 99 ? '99+' : String(chat.unread),
          attributes: { 'aria-label': `${chat.unread} not read` },
        })
      : null,
  );
  open.dataset.key = key;
  return element('li', {}, open);
}

/** Shows a phone beside the others; on a small screen it is the only one. */
async function takeUp(numberId, user, isFocused = true) {
  const key = keyOf(numberId, user);
  let phone = opened.find((item) => item.key === key);
  if (!phone) {
    phone = { key, ...createPhone(numberId, user, () => putAway(key), changeUser(key)) };
    opened.push(phone);
    find('table').append(phone.node);
    arrange();
  }
  await phone.update();
  if (isFocused) phone.focus();
}

function putAway(key) {
  const position = opened.findIndex((phone) => phone.key === key);
  if (position < 0) return;
  opened.splice(position, 1)[0].node.remove();
  arrange();
  (find('chats').querySelector(`[data-key="${CSS.escape(key)}"]`) ?? find('new-number')).focus();
}

/** Somebody took another number: the phone is the same, the chat is under the new one. */
const changeUser = (key) => async (numberId, user) => {
  putAway(key);
  await takeUp(numberId, user);
};

function arrange() {
  document.querySelector('.phones').classList.toggle('open', opened.length > 0);
  find('no-phone').hidden = opened.length > 0;
  const address = opened.length > 0 ? `#phones:${opened.map(({ key }) => key).join(',')}` : '#phones';
  history.replaceState(null, '', address);
  showChats();
}

/** `number/customer`, or the customer alone, of the first business number. */
let wanted = [];
export function openFromAddress(keys) {
  wanted = keys.filter((key) => !opened.some((phone) => phone.key === key));
  if (shared.state) void openWanted();
}

async function openWanted() {
  const keys = wanted;
  wanted = [];
  for (const key of keys) {
    const parts = key.split('/');
    const user = parts.at(-1).replace(/^\+/, '');
    await takeUp(parts.length > 1 ? parts[0] : shared.state.numbers[0].id, user, false);
  }
}

export async function showPhones() {
  await openWanted();
  await Promise.all(opened.map((phone) => phone.update()));
}

find('new-chat').addEventListener('submit', async (event) => {
  event.preventDefault();
  const digits = find('new-number').value.replace(/\D/g, '');
  if (digits.length < 5 || digits.length > 15) return notify('Give the phone number with its country code.');
  const name = find('new-name').value.trim();
  if (name) await api('POST', `/_sandbox/whatsapp/users/${digits}/profile`, { name });
  event.target.reset();
  await takeUp(find('new-business').value || shared.state.numbers[0].id, digits);
});

find('crowd').addEventListener('click', () => letCrowdWrite(find('new-business').value));
