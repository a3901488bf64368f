import { baseLanguage } from '../contacts/contact-language.ts';
import type { OfferedLanguage } from './template.ts';

/** Words by which the platform takes a message for advertising. Some are parts of words; all are lower case. */
const words: Record<OfferedLanguage, readonly string[]> = {
  en: [
    'sale',
    'discount',
    '% off',
    'offer',
    'deal',
    'promo',
    'coupon',
    'voucher',
    'free',
    'save',
    'limited time',
    'buy',
    'shop now',
    'cashback',
    'bonus',
    'giveaway',
    'exclusive',
    'new arrivals',
    'best price',
    'black friday',
  ],
  es: [
    'oferta',
    'descuento',
    'rebaja',
    'promoción',
    'promo',
    'cupón',
    'gratis',
    'ahorra',
    'compra',
    'exclusiv',
    'regalo',
    'black friday',
  ],
  fr: [
    'solde',
    'remise',
    'réduction',
    'promotion',
    'promo',
    'offre',
    'coupon',
    'gratuit',
    'économisez',
    'achetez',
    'exclusi',
    'cadeau',
    'black friday',
  ],
  de: [
    'rabatt',
    'angebot',
    'ausverkauf',
    'aktion',
    'gutschein',
    'gratis',
    'kostenlos',
    'sparen',
    'spare',
    'kaufen',
    'exklusiv',
    'geschenk',
    'black friday',
  ],
  pt: [
    'desconto',
    'oferta',
    'promoção',
    'promo',
    'cupom',
    'cupão',
    'grátis',
    'economize',
    'compre',
    'exclusiv',
    'presente',
    'black friday',
  ],
  it: [
    'sconto',
    'saldi',
    'offerta',
    'promozione',
    'promo',
    'coupon',
    'gratis',
    'risparmia',
    'acquista',
    'esclusiv',
    'regalo',
    'black friday',
  ],
};

/** The promotional words of a text, as listed, each once. Every list counts that fits: shops mix in English. */
export function findPromotionalWords(text: string, language: string): string[] {
  const lower = text.toLowerCase();
  const base = baseLanguage(language);
  const own = Object.hasOwn(words, base) ? words[base as OfferedLanguage] : []; // its own keys
  const listed = [...new Set([...own, ...(base === 'en' ? [] : ['sale', '% off', 'discount'])])];
  return listed.filter((word) => startsWord(lower, word));
}

/** Found at the start of a word: `sale` in `sales`, but not in `wholesale`. */
function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1];
    const isInside = before !== undefined && /[\p{L}\p{N}]/u.test(before) && /^\p{L}/u.test(word);
    if (!isInside) return true;
  }
  return false;
}
