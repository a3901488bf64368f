import { api, notify } from './dom.js';
import { advert, contact, order, place } from './samples.js';
import { refresh } from './state.js';

const message = (content) => ({ message: content });

/** Ten customers who write at once, each in their own way, so that an inbox has something to show. */
const CROWD = [
  ['Chidi Eze', { text: 'Hello, is the shop open on Sunday?' }],
  ['Dana Petrova', { media: { sample: 'photo', caption: 'It arrived like this' } }],
  ['ليلى حداد', { text: 'مرحبا، هل يمكن التوصيل إلى *دبي*؟' }],
  ['Emil Nowak', { media: { sample: 'voice' } }],
  ['Freya Lind', message(place)],
  ['Goran Ilić', { media: { sample: 'document', filename: 'Invoice 2041.pdf' } }],
  ['Hana Sato 🌸', message(advert)],
  [
    'Ivo Costa',
    message(
      order('', [
        { id: 'BOOT-42', quantity: 1, price: 89 },
        { id: 'LACE-02', quantity: 2, price: 4.5 },
      ]),
    ),
  ],
  ['Jun Park', message(contact('Mina Park', '+44 7700 900310'))],
  ['Kofi Mensah', { media: { sample: 'sticker' } }],
];
const FIRST_NUMBER = 447_700_900_211;

export async function letCrowdWrite(phoneNumberId) {
  const inputs = CROWD.map(([name, content], index) => ({
    from: String(FIRST_NUMBER + index),
    name,
    phoneNumberId,
    ...content,
  }));
  if (await api('POST', '/_sandbox/whatsapp/inbound', inputs)) notify(`${CROWD.length} customers wrote.`);
  await refresh();
}
