import { askForOrder, sendAnswers } from './composer.js';
import { api, element, button, notify } from './dom.js';
import { callPermission, contact, flowAnswer, place } from './samples.js';

const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** What a customer can do with one message: react, quote, and with their own edit, delete, let its file go. */
export function menuOfMessage(phone, message) {
  const { sheet } = phone;
  const isMine = message.direction === 'in';
  const reacted = message.reactions.find((reaction) => reaction.isMine)?.emoji;
  const react = (emoji) =>
    phone.send({
      message: {
        type: 'reaction',
        // A reaction that is taken back comes without emoji.
        reaction: { message_id: message.messageId, ...(emoji === reacted ? {} : { emoji }) },
      },
    });
  const choices = [
    ['Answer with quote', () => phone.quote(message)],
    ...(isMine && (message.type === 'text' || message.media)
      ? [['Edit…', () => askEdit(phone, message)]]
      : []),
    ...(isMine
      ? [
          [
            'Delete',
            () =>
              phone.send({ message: { type: 'revoke', revoke: { original_message_id: message.messageId } } }),
          ],
        ]
      : []),
    ...(isMine && message.media?.mediaId
      ? [
          ['File is gone now', () => expire(message, 'file')],
          ['Its address is over now', () => expire(message, 'address')],
        ]
      : []),
  ];
  sheet.open(
    'Message',
    element(
      'div',
      { className: 'emoji', attributes: { role: 'group', 'aria-label': 'React' } },
      ...EMOJI.map((emoji) =>
        button(
          emoji,
          () => {
            sheet.close();
            void react(emoji);
          },
          {
            attributes: {
              'aria-pressed': String(emoji === reacted),
              'aria-label': emoji === reacted ? `Take ${emoji} back` : `React with ${emoji}`,
            },
          },
        ),
      ),
    ),
    sheet.choicesOf(choices),
  );
}

function askEdit(phone, message) {
  const isText = message.type === 'text';
  phone.sheet.ask('Edit', [['body', isText ? 'Text' : 'Caption', message.body, true]], 'Save', ({ body }) => {
    if (isText && body.trim() === '') return notify('A message has some text.');
    const media = { id: message.media?.mediaId, caption: body };
    const changed = isText ? { type: 'text', text: { body } } : { type: message.type, [message.type]: media };
    const edit = { original_message_id: message.messageId, message: changed };
    return phone.send({ message: { type: 'edit', edit } });
  });
}

async function expire(message, what) {
  const done = await api('POST', `/_sandbox/whatsapp/media/${message.media.mediaId}/expire`, { what });
  if (done)
    notify(what === 'file' ? 'The file cannot be fetched any more.' : 'Its address answers 404 from now on.');
}

/** What a press on a button or on a list of a message does. */
export function answersOf(phone) {
  const { sheet } = phone;
  function tap(message, item) {
    const context = phone.contextOf(message);
    if (item.answer) return phone.send({ message: item.answer, context });
    if (item.question)
      return questions[item.question](phone, item, (content) => phone.send({ context, ...content }));
    return notify(`Opens on the phone: ${item.detail ?? item.text}. The business hears nothing of it.`);
  }
  function openList(message) {
    const rows = message.list.sections.flatMap(({ title, rows: own }) => [
      ...(title ? [element('h4', { text: title })] : []),
      ...own.map((row) =>
        element(
          'button',
          {
            type: 'button',
            className: 'row-choice',
            on: {
              click: () => {
                sheet.close();
                void tap(message, row);
              },
            },
          },
          element('strong', { text: row.text }),
          row.detail ? element('span', { text: row.detail }) : null,
        ),
      ),
    ]);
    sheet.open(message.list.label, element('div', { className: 'rows' }, ...rows));
  }
  return { tap, openList };
}

const questions = {
  location(_phone, _item, send) {
    return send({ message: place });
  },
  flow(phone, item, send) {
    phone.sheet.ask(item.text, [['answers', 'Answers (JSON)', '{"rating":"5"}', true]], 'Submit', (values) =>
      sendAnswers(item.about?.token ?? null, values.answers, send),
    );
  },
  order(phone, item, send) {
    askForOrder(phone, item.about ?? {}, send);
  },
  call(phone, _item, send) {
    phone.sheet.choose('May the business call?', [
      ['Allow', () => send({ message: callPermission(true) })],
      ['Refuse', () => send({ message: callPermission(false) })],
    ]);
  },
  number(phone, _item, send) {
    const name = phone.owner.name ?? 'Customer';
    return send({ message: contact(name, `+${phone.user}`) });
  },
  address(phone, _item, send) {
    const fields = [
      ['name', 'Name', phone.owner.name ?? ''],
      ['address', 'Address', '12 MG Road'],
      ['city', 'City', 'Bengaluru'],
      ['in_pin_code', 'PIN code', '560001'],
    ];
    phone.sheet.ask('Address', fields, 'Send', (values) =>
      send({ message: flowAnswer(null, 'address_message', 'Address', { values }) }),
    );
  },
};
