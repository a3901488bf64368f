import { button, element, iconButton, notify } from './dom.js';
import {
  advert,
  callPermission,
  contact,
  flowAnswer,
  order,
  pictures,
  pin,
  place,
  unreadables,
} from './samples.js';

const LARGEST_FILE = 100 * 1024 * 1024;

/** Where the customer writes: text, files by hand, pasted or dropped, and everything else behind the plus. */
export function createComposer(phone) {
  let quoted = null;
  const bar = element('div', { className: 'quoting', hidden: true });
  const text = element('textarea', {
    rows: 1,
    placeholder: 'Message',
    attributes: { 'aria-label': 'Message', dir: 'auto' },
  });
  const file = element('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    attributes: { 'aria-label': 'Files' },
  });
  const form = element(
    'form',
    { className: 'reply' },
    button('+', () => openMore(), { className: 'plus', attributes: { 'aria-label': 'Send something else' } }),
    file,
    text,
    element('button', { text: 'Send' }),
  );
  const node = element('div', { className: 'composer' }, bar, form);

  function quote(message) {
    quoted = message;
    bar.hidden = message === null;
    if (message === null) return;
    const line = message.body || message.header || message.media?.label || message.type;
    bar.replaceChildren(
      element('span', { text: `Answer to: ${line.slice(0, 80)}`, attributes: { dir: 'auto' } }),
      iconButton('cross', 'No quote', () => quote(null), { className: 'quiet' }),
    );
    text.focus();
  }

  /** Everything that is sent carries the quote that was chosen. */
  async function send(content) {
    const context = quoted ? { context: phone.contextOf(quoted) } : {};
    const isSent = await phone.send({ ...context, ...content });
    if (isSent) quote(null);
    return isSent;
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = text.value;
    if (body.trim() === '') return;
    text.value = '';
    if (!(await send({ text: body }))) text.value = body;
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  async function sendFiles(files) {
    const caption = text.value.trim();
    for (const [position, item] of [...files].entries()) {
      if (item.size > LARGEST_FILE) {
        await send({ message: unreadables['File above 100 MB'] });
        continue;
      }
      const isSent = await send({
        media: {
          mimeType: item.type || 'application/octet-stream',
          filename: item.name,
          data: await base64Of(item),
          ...(position === 0 && caption ? { caption } : {}),
        },
      });
      if (isSent && position === 0) text.value = '';
    }
  }
  file.addEventListener('change', async () => {
    const files = [...file.files];
    file.value = '';
    await sendFiles(files);
  });
  node.addEventListener('paste', (event) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void sendFiles(event.clipboardData.files);
  });
  phone.node.addEventListener('dragover', (event) => event.preventDefault());
  phone.node.addEventListener('drop', (event) => {
    event.preventDefault();
    void sendFiles(event.dataTransfer.files);
  });

  function openMore() {
    const message = (content) => () => send({ message: content });
    phone.sheet.choose('Send something else', [
      ['File…', () => file.click()],
      ...Object.entries(pictures).map(([name, media]) => [name, () => send({ media })]),
      ['Location', message(place)],
      ['Bare pin', message(pin)],
      ['Contact card', askContact],
      ['Order', askOrder],
      ['Form answer', askForm],
      ['Calls: allow', message(callPermission(true))],
      ['Calls: refuse', message(callPermission(false))],
      ['From an advert', message(advert)],
      ['Forwarded', () => send({ text: 'Look at this', context: { forwarded: true } })],
      ['Forwarded a lot', () => send({ text: 'Look at this!!', context: { frequently_forwarded: true } })],
      ...Object.entries(unreadables).map(([name, content]) => [name, message(content)]),
      ['STOP', () => send({ text: 'STOP' })],
      ['START', () => send({ text: 'START' })],
    ]);
  }

  function askContact() {
    const fields = [
      ['name', 'Name', 'Bo Lee'],
      ['phone', 'Phone', '+44 7700 900301'],
    ];
    phone.sheet.ask('Contact card', fields, 'Send', ({ name, phone: number }) =>
      send({ message: contact(name, number) }),
    );
  }

  function askOrder() {
    askForOrder(phone, {}, send);
  }

  function askForm() {
    phone.sheet.ask(
      'Form answer',
      [['answers', 'Answers (JSON)', '{"rating":"5"}', true]],
      'Send',
      (values) => sendAnswers(null, values.answers, send),
    );
  }

  return { node, quote, focus: () => text.focus() };
}

/** One line for each product: id, how many, price. */
export function askForOrder(phone, { catalogId = '', products = ['SKU1'] }, send) {
  const lines = products.map((id) => `${id} 1 9.50`).join('\n');
  phone.sheet.ask('Order', [['lines', 'Product, quantity, price', lines, true]], 'Order', (values) => {
    const items = values.lines
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([id]) => id)
      .map(([id, quantity = '1', price = '0']) => ({ id, quantity: Number(quantity), price: Number(price) }));
    if (items.length === 0) return notify('An order names at least one product.');
    return send({ message: order(catalogId, items) });
  });
}

export function sendAnswers(token, json, send, extra = {}) {
  try {
    return send({ message: flowAnswer(token, 'flow', 'Sent', JSON.parse(json)), ...extra });
  } catch {
    return notify('The answers are no JSON.');
  }
}

function base64Of(item) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(item);
  });
}
