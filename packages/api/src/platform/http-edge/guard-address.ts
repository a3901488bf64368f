import { isStorableText } from '@app/domain/text/storable-text';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { refuse } from './refuse.ts';

const MESSAGE = 'This text holds a character that cannot be stored.';

/**
 * What `guardInput` is to the endpoints of the contract, for every route beside it: nothing that such a route reads
 * from its address is text that no row can hold. The contract, which checks its own input, is served under one
 * pattern for all methods; the files of the web app read nothing.
 */
export const guardAddress: MiddlewareHandler = (c, next) =>
  // Without an escape and a query an address holds plain letters alone.
  /[?%]/.test(c.req.url) ? guardLetters(c, next) : next();

const guardLetters: MiddlewareHandler = async (c, next) => {
  const isPlain = matchedRoutes(c).some(({ method, path }) => method !== 'ALL' && !path.includes('*'));
  if (!isPlain) return next();
  const { pathname, searchParams } = new URL(c.req.url);
  const issues = [...searchParams]
    .filter(([field, text]) => !isStorableText(field) || !isStorableText(text))
    .map(([field]) => ({ field: isStorableText(field) ? field : '', message: MESSAGE }));
  if (pathname.includes('%00')) issues.push({ field: '', message: MESSAGE });
  return issues.length === 0 ? next() : refuse('invalid_input', { details: { issues } });
};
