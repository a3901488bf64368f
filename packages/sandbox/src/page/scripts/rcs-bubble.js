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
  if (file) parts.push(mediaOf(file, 'MEDIUM', { whenUnseen: (box) => box.replaceWith(fileLine(file)) }));
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
    file
      ? mediaOf(file, media.height, {
          whenUnseen: (box) => (look === 'ios' ? box.remove() : box.replaceChildren(fileLine(file))),
        })
      : null,
    title ? element('strong', { text: title, attributes: { dir: 'auto' } }) : null,
    description ? element('p', { text: description, attributes: { dir: 'auto' } }) : null,
    suggestionsOf(suggestions, 'rcs-buttons', taps),
  );
}

/**
 * Files that were handed over lie here; others are shown from where they lie. What is no picture and no video is a file with a name. An iPhone shows
 * no such file on a card, whatever its address looks like.
 */
function mediaOf(address, height = 'MEDIUM', { whenUnseen }) {
  const source = address.startsWith('files/') ? `/_sandbox/rcs/${address}` : address;
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
    on: { loadedmetadata: () => (video.hidden = false), error: () => whenUnseen(box) },
  });
  const box = element('div', { className: `rcs-media rcs-${height.toLowerCase()}` }, picture, video);
  return box;
}

const fileLine = (address) => line(`📄 ${nameOfFile(address)}`);

/** The end of an address is the name; a file that was handed over has none. */
function nameOfFile(address) {
  if (address.startsWith('files/')) return 'File';
  const end = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(end) || address;
  } catch {
    return end;
  }
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
