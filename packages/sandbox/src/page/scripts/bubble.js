import { element, iconButton, shortClock } from './dom.js';
import { formatted } from './formatting.js';
import { icon } from './icons.js';

const TICKS = {
  ...{ accepted: 'waiting', sent: 'tick', delivered: 'ticks', read: 'ticks', played: 'ticks' },
  failed: 'failed',
};

/**
 * One message as the phone shows it. `acts` says what a press does: `tap` a button, `openList`, `menu` of the message, `jump` to a
 * quoted one, `played` a voice message.
 */
export function bubbleOf(message, acts) {
  if (message.direction === 'note' || message.type === 'note')
    return element('li', { className: 'bubble note', text: message.body });
  const isMine = message.direction === 'in';
  return element(
    'li',
    { className: `bubble ${isMine ? 'mine' : 'theirs'} ${message.state ?? ''} kind-${message.type}` },
    ...(message.isDeleted
      ? [element('div', { className: 'gone', text: 'This message was deleted' })]
      : [...contentOf(message, acts), failureOf(message)]),
    footOf(message, isMine),
    reactionsOf(message),
    message.isDeleted || !message.messageId
      ? null
      : iconButton('more', 'Answer, react and more', () => acts.menu(message), { className: 'more' }),
  );
}

function contentOf(message, acts) {
  return [
    message.forwarded
      ? element(
          'div',
          { className: 'aside signed' },
          icon('forward'),
          message.forwarded === 'often' ? 'Forwarded many times' : 'Forwarded',
        )
      : null,
    message.quote
      ? element(
          'div',
          { className: 'quote', attributes: { dir: 'auto' } },
          element('strong', { text: message.quote.isMine ? 'You' : 'Business' }),
          element('span', { text: message.quote.text }),
        )
      : null,
    message.advert
      ? element(
          'div',
          { className: 'quote' },
          element('strong', { text: message.advert.headline }),
          element('span', { text: `${message.advert.body} ${message.advert.address}` }),
        )
      : null,
    message.media ? mediaOf(message.media, () => acts.played(message)) : null,
    message.header ? element('div', { className: 'head', text: message.header }) : null,
    message.place ? placeOf(message.place) : null,
    ...message.cards.map(cardOf),
    message.body
      ? element('div', { className: 'body', attributes: { dir: 'auto' } }, ...formatted(message.body))
      : null,
    ...message.products.map((product) =>
      element(
        'div',
        { className: 'product' },
        element('span', { text: `Product ${product.id}` }),
        element('span', { text: product.detail ?? '' }),
      ),
    ),
    message.footer ? element('div', { className: 'aside', text: message.footer }) : null,
    message.carousel.length
      ? element(
          'div',
          {
            className: 'carousel',
            tabIndex: 0,
            attributes: { role: 'group', 'aria-label': 'Cards' },
          },
          ...message.carousel.map((card) =>
            element(
              'div',
              { className: 'card' },
              card.media ? mediaOf(card.media) : null,
              element('div', { className: 'body' }, ...formatted(card.body)),
              buttonsOf(message, card.buttons, acts),
            ),
          ),
        )
      : null,
    buttonsOf(message, message.buttons, acts),
    message.list
      ? element(
          'div',
          { className: 'buttons' },
          signed('list', message.list.label, () => acts.openList(message)),
        )
      : null,
  ].filter((part) => part !== null);
}

function buttonsOf(message, buttons, acts) {
  if (buttons.length === 0) return null;
  return element(
    'div',
    { className: 'buttons' },
    ...buttons.map((item) => {
      const isAnswer = item.answer !== null || item.question !== undefined;
      return signed(
        isAnswer ? 'answer' : 'open',
        item.text,
        () => acts.tap(message, item),
        item.detail ?? '',
      );
    }),
  );
}

/** A press with a sign before its text. */
function signed(sign, text, act, title = '') {
  return element(
    'button',
    { type: 'button', className: 'signed', title, on: { click: act } },
    icon(sign),
    text,
  );
}

function mediaOf({ type, address, label, isVoice }, onPlay) {
  if (address && (type === 'image' || type === 'sticker'))
    return element('img', { src: address, alt: label, className: type });
  if (address && type === 'video')
    return element('video', { src: address, controls: true, attributes: { 'aria-label': label } });
  if (address && type === 'audio')
    return element(
      'div',
      { className: isVoice ? 'voice' : '' },
      isVoice ? element('span', { className: 'aside', text: 'Voice message' }) : null,
      element('audio', {
        src: address,
        controls: true,
        preload: 'metadata',
        attributes: { 'aria-label': isVoice ? 'Voice message' : label },
        on: { play: () => isVoice && onPlay?.() },
      }),
    );
  if (address)
    return element('a', { href: address, download: label, className: 'file', text: `File: ${label}` });
  return element('div', { className: 'file', text: `${type}: ${label}` });
}

function placeOf(place) {
  return element(
    'div',
    { className: 'place' },
    element(
      'div',
      {},
      element('strong', { text: place.name ?? 'Pinned location' }),
      place.address ? element('div', { text: place.address }) : null,
      element('div', { className: 'aside', text: `${place.latitude}, ${place.longitude}` }),
    ),
  );
}

function cardOf(card) {
  return element(
    'div',
    { className: 'contact' },
    element('strong', { text: card.name }),
    ...card.lines.map((line) => element('div', { text: line })),
  );
}

function failureOf({ failure }) {
  return failure
    ? element('div', { className: 'failure', text: `Did not arrive on this phone. ${failure}` })
    : null;
}

function footOf(message, isMine) {
  const { state } = message;
  return element(
    'div',
    { className: 'meta' },
    message.isEdited && !message.isDeleted ? element('span', { text: 'Edited' }) : null,
    element('time', { text: shortClock(message.at) }),
    isMine || state === 'failed' || state === 'accepted' || state === 'sent'
      ? element(
          'span',
          {
            className: state === 'read' ? 'seen' : '',
            title: state ?? '',
            attributes: { role: 'img', 'aria-label': state ?? 'on its way' },
          },
          TICKS[state] ? icon(TICKS[state]) : null,
        )
      : null,
  );
}

function reactionsOf({ reactions }) {
  if (reactions.length === 0) return null;
  return element(
    'div',
    { className: 'reactions' },
    ...reactions.map(({ isMine, emoji }) =>
      element('span', {
        text: emoji,
        attributes: { role: 'img', 'aria-label': `${isMine ? 'You' : 'Business'} reacted with ${emoji}` },
      }),
    ),
  );
}
