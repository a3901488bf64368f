import { isObject, listOf, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { RcsError } from './rcs-error.ts';

/** Limits of the platform's guides. */
const limits = {
  ...{ text: 3_072, label: 25, postback: 2_048, suggestions: 11, cardSuggestions: 4 },
  ...{ title: 200, description: 2_000, fewestCards: 2, mostCards: 10, message: 250_000, url: 2_048 },
  ...{ calendarTitle: 100, calendarDescription: 500, daysToLive: 15 },
};
const DAY_MS = 86_400_000;
const trafficTypes = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'];
const known = ['contentMessage', 'messageTrafficType', 'expireTime', 'ttl'];
const kinds = ['text', 'richCard', 'contentInfo', 'uploadedRbmFile'];

export interface CheckedMessage {
  content: JsonObject;
  trafficType: string;
  /** When it is no longer delivered, in milliseconds; null where nothing is said. */
  expiresAt: number | null;
  /** Features that the phone needs to show it. */
  needs: ReadonlySet<string>;
  /** Names of files that were handed over before. */
  files: readonly string[];
}

/** The message that a body holds. Throws the platform's refusal of one that breaks a rule. */
export function checkMessage(body: JsonObject, now: number): CheckedMessage {
  const strange = Object.keys(body).find((field) => !known.includes(field));
  if (strange !== undefined) invalid(`Unknown name "${strange}"`);
  if (JSON.stringify(body).length > limits.message) invalid('The message is larger than 250 KB');
  const content = objectOf(body['contentMessage']);
  const found = kinds.filter((kind) => content[kind] !== undefined);
  if (found.length !== 1)
    invalid('contentMessage holds exactly one of text, richCard, contentInfo and uploadedRbmFile');
  const needs = new Set<string>();
  if (content['text'] !== undefined) need(content['text'], 'text', limits.text);
  if (content['richCard'] !== undefined) checkRichCard(objectOf(content['richCard']), needs);
  if (content['contentInfo'] !== undefined) checkFile(objectOf(content['contentInfo']));
  checkSuggestions(content['suggestions'], limits.suggestions, needs);
  const trafficType = textOf(body['messageTrafficType']);
  if (trafficType === undefined || !trafficTypes.includes(trafficType))
    invalid('messageTrafficType is missing or not known');
  return { content, trafficType, expiresAt: expiryOf(body, now), needs, files: filesOf(content) };
}

/** Wherever they stand in the message. */
function filesOf(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(filesOf);
  if (!isObject(part)) return [];
  const uploaded = objectOf(part['uploadedRbmFile'])['fileName'];
  return [
    ...(textOf(uploaded) === undefined ? [] : [textOf(uploaded) ?? '']),
    ...Object.values(part).flatMap(filesOf),
  ];
}

function expiryOf({ ttl, expireTime }: JsonObject, now: number): number | null {
  if (ttl !== undefined && expireTime !== undefined) invalid('ttl and expireTime exclude each other');
  if (ttl === undefined && expireTime === undefined) return null;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(ttl) ?? '')?.[1];
  const at = ttl === undefined ? Date.parse(textOf(expireTime) ?? '') : now + Number(seconds) * 1000;
  if (!(at > now)) invalid('ttl or expireTime is not valid');
  if (at - now > limits.daysToLive * DAY_MS) invalid('A message lives for 15 days at most');
  return at;
}

function checkRichCard(card: JsonObject, needs: Set<string>): void {
  const { standaloneCard, carouselCard } = card;
  if (isObject(standaloneCard) === isObject(carouselCard))
    invalid('richCard holds one of standaloneCard and carouselCard');
  if (isObject(standaloneCard)) {
    needs.add('RICHCARD_STANDALONE');
    const { cardOrientation: orientation, thumbnailImageAlignment: alignment } = standaloneCard;
    oneOf(orientation, ['HORIZONTAL', 'VERTICAL'], 'cardOrientation');
    if (orientation === 'HORIZONTAL') oneOf(alignment, ['LEFT', 'RIGHT'], 'thumbnailImageAlignment');
    checkCard(objectOf(standaloneCard['cardContent']), needs);
    return;
  }
  needs.add('RICHCARD_CAROUSEL');
  const carousel = objectOf(carouselCard);
  oneOf(carousel['cardWidth'], ['SMALL', 'MEDIUM'], 'cardWidth');
  const cards = objectsOf(carousel['cardContents']);
  if (cards.length < limits.fewestCards || cards.length > limits.mostCards)
    invalid('A carousel has 2 to 10 cards');
  for (const one of cards) {
    checkCard(one, needs);
    if (carousel['cardWidth'] === 'SMALL' && objectOf(one['media'])['height'] === 'TALL')
      invalid('TALL media cannot be used with SMALL cards');
  }
}

function checkCard(card: JsonObject, needs: Set<string>): void {
  const { title, description, media } = card;
  if (title === undefined && description === undefined && media === undefined)
    invalid('A card has a title, a description or media');
  if (title !== undefined) need(title, 'title', limits.title);
  if (description !== undefined) need(description, 'description', limits.description);
  if (media !== undefined) {
    oneOf(objectOf(media)['height'], ['SHORT', 'MEDIUM', 'TALL'], 'media.height');
    const { contentInfo, uploadedRbmFile } = objectOf(media);
    if (isObject(contentInfo) === isObject(uploadedRbmFile))
      invalid('media holds one of contentInfo and uploadedRbmFile');
    if (isObject(contentInfo)) checkFile(contentInfo);
  }
  checkSuggestions(card['suggestions'], limits.cardSuggestions, needs);
}

function checkFile({ fileUrl, thumbnailUrl }: JsonObject): void {
  address(fileUrl, 'fileUrl');
  // Names below `.invalid` lead nowhere (RFC 2606).
  if (new URL(textOf(fileUrl) ?? '').hostname.endsWith('.invalid'))
    invalid('The file of fileUrl cannot be fetched');
  if (thumbnailUrl !== undefined) address(thumbnailUrl, 'thumbnailUrl');
}

function checkSuggestions(value: unknown, most: number, needs: Set<string>): void {
  const all = objectsOf(value);
  if (all.length !== listOf(value).length || all.length > most)
    invalid(`There are at most ${most} suggestions`);
  for (const { reply, action } of all) {
    if (isObject(reply) === isObject(action)) invalid('A suggestion is a reply or an action');
    const one = objectOf(reply ?? action);
    need(one['text'], 'suggestion text', limits.label);
    need(one['postbackData'], 'postbackData', limits.postback);
    if (isObject(action)) checkAction(action, needs);
  }
}

const actions: Readonly<Record<string, [feature: string, check: (action: JsonObject) => void]>> = {
  dialAction: [
    'ACTION_DIAL',
    ({ phoneNumber }) =>
      void (/^[\d+*#]+$/.test(textOf(phoneNumber) ?? '') || invalid('phoneNumber is not valid')),
  ],
  viewLocationAction: ['ACTION_VIEW_LOCATION', checkPlace],
  shareLocationAction: ['ACTION_SHARE_LOCATION', () => undefined],
  openUrlAction: ['ACTION_OPEN_URL', ({ url }) => address(url, 'url')],
  createCalendarEventAction: ['ACTION_CREATE_CALENDAR_EVENT', checkCalendar],
};

function checkAction(action: JsonObject, needs: Set<string>): void {
  const named = Object.keys(actions).filter((name) => action[name] !== undefined);
  const [name] = named;
  if (name === undefined || named.length > 1) invalid('An action is exactly one of the known actions');
  const [feature, check] = actions[name]!; // one of its keys
  needs.add(feature);
  check(objectOf(action[name]));
  if (action['fallbackUrl'] !== undefined) address(action['fallbackUrl'], 'fallbackUrl');
}

function checkPlace({ latLong, query }: JsonObject): void {
  if (query !== undefined && latLong === undefined) return need(query, 'query', limits.url);
  const { latitude, longitude } = objectOf(latLong);
  if (!(Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180))
    invalid('latLong is not valid');
}

function checkCalendar({ startTime, endTime, title, description }: JsonObject): void {
  need(title, 'title of the event', limits.calendarTitle);
  if (description !== undefined) need(description, 'description of the event', limits.calendarDescription);
  const [from, to] = [startTime, endTime].map((time) => Date.parse(textOf(time) ?? ''));
  if (!((from ?? NaN) <= (to ?? NaN))) invalid('The times of the event are not valid');
}

function need(value: unknown, name: string, most: number): void {
  const text = textOf(value);
  if (text === undefined || text === '') invalid(`${name} is missing`);
  if (text.length > most) invalid(`${name} is longer than ${most} characters`);
}

function oneOf(value: unknown, words: readonly string[], name: string): void {
  if (!words.includes(textOf(value) ?? '')) invalid(`${name} is one of ${words.join(', ')}`);
}

function address(value: unknown, name: string): void {
  need(value, name, limits.url);
  if (!/^https?:\/\//.test(textOf(value) ?? '')) invalid(`${name} is not a web address`);
}

function invalid(message: string): never {
  throw new RcsError('INVALID_ARGUMENT', message);
}
