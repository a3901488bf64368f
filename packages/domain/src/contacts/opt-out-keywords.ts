import { kindList } from '../channel-kinds/kind-list.ts';
import { interfaceLanguages, type InterfaceLanguage } from '../text/interface-language.ts';
import { otherCourtesies, otherStopWords, stopSentences } from './opt-out/opt-out-table.ts';

/** By language, as people write them. */
export type ConsentWords = Record<InterfaceLanguage, { stop: string[]; start: string[] }>;
export type ConsentKind = 'stop' | 'start';
/** Words by how they are compared, with the language in which they were found first. */
type Compiled = Record<ConsentKind, ReadonlyMap<string, InterfaceLanguage>>;

/** Nobody takes these away: whoever writes them gets no more marketing, whatever a workspace made of its words. */
const ALWAYS_STOP = ['stop', 'unsubscribe', 'revoke'];

/**
 * Everyday words, such as those that lead back to the beginning of a menu: they renew consent nowhere, also not where a workspace has them among its
 * words since the product came with them.
 */
const EVERYDAY = `
  alta; inicio; inicia; iniciar; volver; continuar; seguir; si; resume; continue; yes; ok; back; home; menu; hello; hi; join; demarrer; reprendre; commencer; continuer; retour; oui; accueil; anmelden; anmeldung;
  weiter; zuruck; ja; los; starten; comecar; voltar; iniciar; continuar; assinar; sim; inscrever`;

/**
 * Whole messages by which a person ends or renews consent, in the five languages of the product. Letters stand without their marks: `desabonner` is `désabonner`
 * as well. A word that means something else as a whole message, such as `para` or `yes`, is none; what renews consent can mean nothing else.
 */
export const defaultConsentWords: ConsentWords = {
  en: {
    stop: listOf(`
      stop; stopp; stop all; stopall; unsubscribe; unsubscribe me; cancel; end; quit; revoke; optout; opt out; opt me out; remove me; stop messages; stop messaging me;
      stop texting me; stop sending messages; no more; no more messages; leave me alone; do not contact me; don’t contact me; stop ads; stop marketing; stop updates; stop promotions; stop promo;`),
    start: listOf(
      'start; unstop; subscribe; optin; opt in; resubscribe; subscribe me; resubscribe me; opt me in',
    ),
  },
  es: {
    stop: listOf(`
      baja; dar de baja; darme de baja; dame de baja; de baja; parar; cancelar; no mas; no mas mensajes; basta de mensajes; detener; desuscribir; desuscribirme;
      cancelar suscripcion; no quiero mas mensajes; no me escriban mas; no me escribas mas; stop mensajes; sin publicidad;`),
    start: listOf(
      'suscribir; suscribirme; quiero suscribirme; volver a suscribirme; acepto recibir mensajes',
    ),
  },
  fr: {
    stop: listOf(`
      arret; arreter; arretez; desabonner; me desabonner; se desabonner; desabonnez moi; desabonnement; desinscrire; me desinscrire; desinscription; resilier; stop sms;
      stop pub; stop messages; plus de messages; plus de pub; ne m’ecrivez plus;`),
    start: listOf(
      'm’abonner; s’abonner; abonner; me reabonner; je veux m’abonner; j’accepte de recevoir des messages',
    ),
  },
  de: {
    stop: listOf(`
      abmelden; abbestellen; austragen; mich abmelden; bitte abmelden; abmeldung; kündigen; keine nachrichten mehr; keine werbung; keine werbung mehr; nicht mehr schreiben;
      schreibt mir nicht mehr; aufhören; werbung stopp; stop werbung;`),
    start: listOf('abonnieren; wieder abonnieren; wieder anmelden; newsletter abonnieren'),
  },
  pt: {
    stop: listOf(`
      sair; descadastrar; me descadastre; descadastre me; parem; pare; remover; cancelar inscricao; nao quero mais; nao quero mais mensagens; chega de mensagens; parar mensagens;
      sem propaganda; cancelar assinatura`),
    start: listOf(
      'inscrever me; quero me inscrever; reinscrever; me inscrever de novo; aceito receber mensagens',
    ),
  },
};

/** By the words themselves: a group of messages asks with the same ones. */
const compiled = new WeakMap<ConsentWords, Compiled>();

/** What people add out of politeness, which changes nothing about the word. */
const POLITE = `
  please; pls; plz; thanks; thank you; thank you very much; thx; cheers; hi; hello; hey; dear; bitte; danke; danke schon; vielen dank; hallo; por favor; porfavor; porfa; gracias; muchas gracias; hola;
  s’il vous plait; s’il te plait; svp; stp; merci; merci beaucoup; bonjour; bonsoir; obrigado; obrigada; pf; pfv; ola; oi; ok; okay; now; already; right now; immediately; jetzt; sofort; ahora; ya; agora; ja;
  maintenant; regards; best regards; sorry; guten tag; bom dia; buenos dias; buenas tardes`;
/** Whole parts of a message that say nothing of it either: “No, stop!” */
const ASIDES = wordsOf('no; nope; non; nein; nao; yes; yeah; oui; si; sim; enough; seriously; hey');
const COURTESY: ReadonlySet<string> = new Set([...wordsOf(POLITE), ...otherCourtesies.map(plain)]);
/** Nothing longer is a keyword or a short sentence, unless it says one word again and again. */
const LONGEST = 160;
const MOST_REPEATED = 1_000;
/** No keyword of a workspace is longer. */
const LONGEST_WORD = 60;
/** The longest phrase, in words. */
const MOST_WORDS = 8;
/** A question ends consent only where it asks for that. */
const REQUEST =
  /^(?:(?:hi|hello|hola|hallo|ola|bonjour) )?(?:please|can|could|would|will|pls|bitte|konnen|konnt|konntet|konnten|kannst|por favor|pueden|puede|podrian|podria|puedes|pouvez|pourriez|peux|pode|podem|poderia|poderiam)\b/;

/**
 * What a whole inbound message says about consent: `stop`, `start`, or null for anything else. Nobody is written to against
 * their word because they were polite, said it twice or made a sentence of it; a renewal is taken from the word alone.
 */
export function readConsentKeyword(text: string, words: ConsentWords | null = null): ConsentKind | null {
  return findConsentWord(text, words)?.kind ?? null;
}

/** The same with the language of the word; null stands for the words that come with the product. */
export function findConsentWord(
  text: string,
  words: ConsentWords | null = null,
): { kind: ConsentKind; language: InterfaceLanguage } | null {
  const { stop, start } = compiledOf(words ?? defaultConsentWords);
  const stopped = findStop(text, stop);
  if (stopped !== null) return { kind: 'stop', language: stopped };
  // A question is no consent.
  const started = text.includes('?') || text.length > LONGEST_WORD ? undefined : start.get(plain(text));
  return started === undefined ? null : { kind: 'start', language: started };
}

/** Whether something is left of a word when it is compared. */
export function isConsentWord(word: string): boolean {
  return plain(word) !== '' && word.length <= LONGEST_WORD;
}

function findStop(text: string, stop: Compiled['stop']): InterfaceLanguage | null {
  if (text.length > MOST_REPEATED || hasTail(text)) return null;
  const tokens = tokensOf(text);
  if (text.length > LONGEST && new Set(tokens).size > 1) return null;
  const isPhrase = (phrase: string) => (stop.has(phrase) || OTHER_STOP.has(phrase) ? phrase : null);
  const whole = cover(tokens, isPhrase);
  if (whole) return stop.get(whole) ?? 'en';
  const isQuestion = /[?？؟]/.test(text) && !REQUEST.test(tokens.join(' '));
  const sentence = isQuestion ? null : findSentence(tokens);
  if (sentence) return sentence;
  // Sentence by sentence: each of them is one that ends consent, or says nothing.
  const parts = text
    .split(/[.!,;:\n。！，、…]+/u)
    .map(tokensOf)
    .filter((part) => part.length > 0);
  if (parts.length < 2 || isQuestion) return null;
  let found: InterfaceLanguage | null = null;
  for (const part of parts) {
    const phrase = cover(part, isPhrase);
    const language = phrase ? (stop.get(phrase) ?? 'en') : findSentence(part);
    if (language) found ??= language;
    else if (!isCourteous(part)) return null;
  }
  return found;
}

/** Space that hides what stands behind it: who writes so is joking, or a program. */
function hasTail(text: string): boolean {
  return /\s{40}\S/u.test(text.trim());
}

/** The words are nothing but keywords and courtesies, one after the other; answers with the first keyword. */
function cover(tokens: readonly string[], isPhrase: (phrase: string) => string | null): string | null {
  let first: string | null = null;
  for (let at = 0; at < tokens.length;) {
    let step = 0;
    for (let size = Math.min(MOST_WORDS, tokens.length - at); size > 0 && step === 0; size -= 1) {
      const phrase = tokens.slice(at, at + size).join(' ');
      const keyword = isPhrase(phrase) ?? isPhrase(squeeze(phrase));
      if (keyword !== null) first ??= keyword;
      if (keyword !== null || COURTESY.has(phrase)) step = size;
    }
    if (step === 0) return null;
    at += step;
  }
  return first;
}

/** “Stooop” */
function squeeze(word: string): string {
  return /^s+t+o+p+$/.test(word) ? 'stop' : word.replaceAll(/^s t o p$/g, 'stop');
}

function isCourteous(tokens: readonly string[]): boolean {
  const phrase = tokens.join(' ');
  return ASIDES.has(phrase) || tokens.every((token) => COURTESY.has(token)) || COURTESY.has(phrase);
}

const CHANNELS = kindList.map(({ title }) => plain(title));
type Sentences = {
  language: InterfaceLanguage;
  cores: readonly (readonly string[])[];
  fillers: ReadonlySet<string>;
};
const SENTENCES: readonly Sentences[] = interfaceLanguages.map((language) => ({
  language,
  cores: stopSentences[language].cores.map((core) => plain(core).split(' ')),
  fillers: new Set([...stopSentences[language].fillers.map(plain), ...COURTESY, ...CHANNELS]),
}));
const OTHER_STOP: ReadonlySet<string> = new Set(Object.values(otherStopWords).flat().map(plain));

/** The words of one core in their order, and nothing beside them but fillers of its language. */
function findSentence(tokens: readonly string[]): InterfaceLanguage | null {
  if (tokens.length < 2) return null;
  for (const { language, cores, fillers } of SENTENCES)
    for (const core of cores) {
      let next = 0;
      const isWhole = tokens.every((token) => {
        if (token === core[next]) next += 1;
        else if (!fillers.has(token)) return false;
        return true;
      });
      if (isWhole && next === core.length) return language;
    }
  return null;
}

function tokensOf(text: string): string[] {
  const words = plain(text);
  return words === '' ? [] : words.split(' ');
}

/** In small letters without accents, with one space between words and no other sign than an apostrophe within them. Vowel signs of Asian scripts stay. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\p{Cf}]+/gu, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll(/['`´ʼ‘]/g, '’')
    .replace(/[^\p{L}\p{M}\p{N}’·]+/gu, ' ')
    .replace(/(?<!\S)’+|’+(?!\S)/g, '')
    .trim();
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(';').map(plain));
}

function listOf(list: string): string[] {
  return list
    .split(';')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function compiledOf(words: ConsentWords): Compiled {
  const known = compiled.get(words) ?? compile(words);
  compiled.set(words, known);
  return known;
}

/** A word that ends consent in one language ends it in all, also where it renews it in another. */
function compile(words: ConsentWords): Compiled {
  const stop = new Map<string, InterfaceLanguage>();
  const start = new Map<string, InterfaceLanguage>();
  const everyday = wordsOf(EVERYDAY);
  for (const language of interfaceLanguages) {
    for (const word of words[language].stop) if (!stop.has(plain(word))) stop.set(plain(word), language);
    for (const word of words[language].start)
      if (!start.has(plain(word)) && !everyday.has(plain(word))) start.set(plain(word), language);
  }
  for (const word of ALWAYS_STOP) if (!stop.has(word)) stop.set(word, 'en');
  return { stop, start };
}
