import type { InterfaceLanguage } from '../../text/interface-language.ts';

/** What a contact says of a resolved conversation: bad, okay or good. */
export const ratings = [1, 2, 3] as const;
export type Rating = (typeof ratings)[number];

/** How a rating is shown beside the question, as the reaction to it. */
export const ratingEmoji: Record<Rating, string> = { 1: '🙁', 2: '😐', 3: '😊' };

const PREFIX = 'rating/';

/** The id of a button of the question. */
export function ratingButton(key: string, rating: Rating): string {
  return `${PREFIX}${key}/${rating}`;
}

/** What a pressed button says; null for a button of anything else. */
export function readRatingButton(id: string): { key: string; rating: Rating } | null {
  const [, key = '', digit] = /^rating\/([0-9a-f-]{36})\/([123])$/.exec(id) ?? [];
  const rating = ratings.find((one) => String(one) === digit);
  return rating === undefined ? null : { key, rating };
}

/** What is asked, in the language of the contact, and what stands on the buttons. Twenty letters fit on a button of every channel. */
export const ratingWords: Record<InterfaceLanguage, { question: string } & Record<Rating, string>> = {
  en: { question: 'How was our help?', 3: 'Good', 2: 'Okay', 1: 'Bad' },
  es: { question: '¿Qué le pareció nuestra ayuda?', 3: 'Buena', 2: 'Regular', 1: 'Mala' },
  fr: { question: 'Comment était notre aide\u00a0?', 3: 'Bien', 2: 'Moyen', 1: 'Mauvais' },
  de: { question: 'Wie war unsere Hilfe?', 3: 'Gut', 2: 'Mittel', 1: 'Schlecht' },
  pt: { question: 'Como foi a nossa ajuda?', 3: 'Boa', 2: 'Regular', 1: 'Ruim' },
};

/** The title of a button, with the sign that stands for it. */
export function ratingTitle(language: InterfaceLanguage, rating: Rating): string {
  return `${ratingEmoji[rating]} ${ratingWords[language][rating]}`;
}
