import { expect, it } from 'vitest';
import { interfaceLanguages } from '../../text/interface-language.ts';
import { ratingButton, ratings, ratingTitle, readRatingButton } from './rating.ts';

const KEY = '0195d0a4-5f3c-7c1e-9a57-1d9a6b8c2f10';

it.each(ratings)('a button of the rating %d says it', (rating) => {
  expect(readRatingButton(ratingButton(KEY, rating))).toEqual({ key: KEY, rating });
});

it.each([
  '',
  'rating/',
  `rating/${KEY}`,
  `rating/${KEY}/4`,
  `rating/${KEY}/0`,
  'rating/x/3',
  `my-rating/${KEY}/3`,
  `rating/${KEY}/3/`,
])('%j is no rating', (id) => expect(readRatingButton(id)).toBeNull());

it.each(interfaceLanguages)('the buttons in %s differ and fit on every channel', (language) => {
  const titles = ratings.map((rating) => ratingTitle(language, rating));
  expect(new Set(titles).size).toBe(3);
  for (const title of titles) expect(title.length).toBeLessThanOrEqual(20);
});
