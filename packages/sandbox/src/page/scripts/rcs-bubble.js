import { button, element, shortClock } from './dom.js';

/**
 * One message as the app of a phone shows it; a press on a suggestion calls `tap`. Suggestions below a message are gone with the next one, and an
 * iPhone shows a card without its PDF.
 */
export function bubbleOfEntry(entry, { tap, look, isNewest }) {
  const isMine = entry.direction === 'out';
  return element(
    'li',
    { className: isMine ? 'bubble mine' : 'bubble theirs' },
    ...(isMine ? saidOf(entry.said) : contentOf(entry, { tap, look, isNewest })),
    element('span', {
      className: 'rcs-state',
      text: [shortClock(entry.at), entry.state].filter(Boolean).join(' · '),
    }),
  );
}

function saidOf({ text, suggestionResponse, location, userFile }) {
  if (suggestionResponse) return [line(`↩ ${suggestionResponse.text ?? suggestionResponse.postbackData}`)];
  if (location) return [line(`📍 ${location.latitude}, ${location.longitude}`)];
  if (userFile) return [line(`📎 ${userFile.payload.fileName ?? userFile.payload.mimeType}`)];
  return [line(text ?? '')];
}

function contentOf({ content, messageId }, { tap, look, isNewest }) {
  const taps = { tap, messageId, order: { next: 0 } };
  const { richCard } = content;
  const cards = richCard?.carouselCard?.cardContents ?? [];
  const parts = [];
  if (content.text) parts.push(line(content.text));
  const file = content.contentInfo?.fileUrl ?? content.uploadedRbmFile?.fileName;
  if (file) parts.push(mediaOf(file, 'MEDIUM'));
  const { standaloneCard } = richCard ?? {};
  if (standaloneCard) {
    const isSideways = standaloneCard.cardOrientation === 'HORIZONTAL';
    const side = standaloneCard.thumbnailImageAlignment === 'RIGHT' ? 'rcs-right' : 'rcs-left';
    const card = cardOf(standaloneCard.cardContent, { ...taps, look });
    if (isSideways) card.classList.add('rcs-sideways', side);
    parts.push(card);
  }
  if (cards.length > 0)
    parts.push(
      element(
        'div',
        {
          className: `rcs-carousel rcs-${widthOf(richCard)}`,
          tabIndex: 0,
          attributes: { role: 'group', 'aria-label': 'Cards' },
        },
        ...cards.map((card) => cardOf(card, { ...taps, look })),
      ),
    );
  if (isNewest) parts.push(suggestionsOf(content.suggestions, 'rcs-chips', taps));
  return parts;
}

const widthOf = ({ carouselCard }) => (carouselCard?.cardWidth === 'SMALL' ? 'small' : 'wide');

function cardOf({ title, description, media, suggestions }, { look, ...taps }) {
  const file = media?.contentInfo?.fileUrl ?? media?.uploadedRbmFile?.fileName;
  return element(
    'article',
    { className: 'rcs-card' },
    file ? mediaOf(file, media.height, { isPictureOnly: look === 'ios' }) : null,
    title ? element('strong', { text: title, attributes: { dir: 'auto' } }) : null,
    description ? element('p', { text: description, attributes: { dir: 'auto' } }) : null,
    suggestionsOf(suggestions, 'rcs-buttons', taps),
  );
}

/**
 * Files that were handed over lie here; others are shown from where they lie, and their name where they cannot be. An iPhone shows nothing on a card but
 * pictures and videos, whatever the address of a PDF looks like.
 */
function mediaOf(address, height = 'MEDIUM', { isPictureOnly = false } = {}) {
  const source = address.startsWith('files/') ? `/_sandbox/rcs/${address}` : address;
  const name = element('span', { text: address, hidden: true });
  const picture = element('img', {
    src: source,
    attributes: { alt: 'Picture of the message' },
    on: {
      error: () => {
        picture.hidden = true;
        video.src = source;
      },
    },
  });
  const video = element('video', {
    hidden: true,
    attributes: { 'aria-label': 'Video of the message' },
    on: {
      loadedmetadata: () => (video.hidden = false),
      error: () => {
        name.hidden = false;
        if (isPictureOnly) box.remove();
      },
    },
  });
  const box = element('div', { className: `rcs-media rcs-${height.toLowerCase()}` }, picture, video, name);
  return box;
}

/** Suggestions are named by their place in the message, as they are counted there. */
function suggestionsOf(suggestions = [], className, { tap, messageId, order }) {
  return element(
    'div',
    { className },
    ...suggestions.map((suggestion) => {
      const index = order.next++;
      return button(labelOf(suggestion), () => tap({ messageId, index }));
    }),
  );
}

const signs = {
  openUrlAction: '↗',
  dialAction: '☎',
  viewLocationAction: '📍',
  shareLocationAction: '📍',
  createCalendarEventAction: '📅',
};
function labelOf({ reply, action }) {
  const sign = Object.keys(signs).find((name) => action?.[name]);
  return [signs[sign], (reply ?? action).text].filter(Boolean).join(' ');
}

const line = (text) => element('p', { className: 'rcs-text', text, attributes: { dir: 'auto' } });
