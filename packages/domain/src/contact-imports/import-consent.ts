import { kindList } from '../channel-kinds/kind-list.ts';
import { cleanText } from '../contacts/contact.ts';
import { dayOrders, isDay, readWrittenDay } from '../custom-fields/day.ts';

/** A column that says who wants marketing, and one that says who does not. */
export const consentColumns = ['consent', 'optOut'] as const;
export type ConsentColumn = (typeof consentColumns)[number];

/** What a row says about marketing, in which words, and when it was said if the file tells. */
export type ImportedConsent = { kind: 'opt_in' | 'opt_out'; words: string; saidOn: Date | null };

/** What whoever imports states of everybody in a file: where they agreed, and on which day (such as 2026-11-21). */
export type StatedConsent = { where: string; on: string };

/** Undefined where the day is none or has not come yet, or where nothing is said. */
export function readStatedConsent(where: string, on: string, now: Date): StatedConsent | undefined {
  const words = cleanText(where);
  const day = isDay(on) ? Date.parse(on) : Number.NaN;
  // East of here a day begins earlier.
  const isPast = day <= now.getTime() + A_DAY_MS / 2 && day >= Date.UTC(FIRST_YEAR, 0);
  return isPast && words !== '' && words.length <= MOST_WORDS ? { where: words, on } : undefined;
}

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What shops, newsletters and spreadsheets call such columns; case, accents and what stands between words do not count. */
const CONSENT_NAMES = list(`
  consent consentstatus marketingconsent emailmarketingconsent smsmarketingconsent smsconsent emailconsent
  newsconsent gdprconsent marketing marketingallowed allowmarketing allowsmarketing marketingstatus emailmarketingstatus
  newsletter newsletters newsletterstatus newslettersubscription newslettersubscriber subscribed issubscribed subscriber
  subscription subscriptionstatus emailsubscriberstatus smssubscriberstatus optin optedin optinstatus isoptin hasoptedin
  smsoptin emailoptin marketingoptin newsletteroptin acceptsmarketing acceptmarketing acceptsemailmarketing
  acceptssmsmarketing agreedtomarketing
  einwilligung werbeeinwilligung marketingeinwilligung zustimmung werbung werbungerlaubt werbeerlaubnis
  newsletterabo newsletterabonnent newsletteranmeldung newsletterangemeldet abonniert abonnent werbeeinverstandnis
  consentimiento consentimientomarketing boletin suscrito suscripcion suscriptor aceptamarketing aceptapublicidad publicidad
  aceptaboletin aceptacomunicaciones
  consentement consentementmarketing infolettre abonne abonnement abonnenewsletter inscritnewsletter inscriptionnewsletter
  acceptemarketing acceptelemarketing acceptepublicite publicite
  consentimento consentimentomarketing boletim inscrito inscricao assinante assinaturanewsletter aceitamarketing
  aceitapublicidade aceitanewsletter`);
const OPT_OUT_NAMES = list(`
  optout optedout optoutstatus isoptout hasoptedout isoptedout smsoptout emailoptout marketingoptout
  optedoutofemail optedoutofmarketing unsubscribed unsubscribe isunsubscribed unsubscribedat unsubscribedate
  unsubscribedfromallemail donotcontact dnc donotemail donotsms donotmarket nomarketing nonewsletter suppressed
  blacklisted blocklisted blocked isblocked stop
  abgemeldet abmeldung abmeldedatum newsletterabgemeldet newsletterabmeldung abbestellt ausgetragen widerruf widerrufen
  widersprochen werbewiderspruch werbesperre keinewerbung gesperrt sperre sperrvermerk nichtkontaktieren
  baja dadodebaja bajaboletin fechadebaja desuscrito cancelosuscripcion nocontactar sinpublicidad nomarketing bloqueado
  desinscrit desinscription desabonne desabonnement nepascontacter pasdepublicite opposition bloque
  descadastrado descadastro descadastramento cancelouinscricao naocontactar naocontatar sempublicidade semmarketing`);

const CONSENT_OF_KINDS = new Set(kindList.flatMap(({ fileNames }) => fileNames.optInHeadings));
const OPT_OUT_OF_KINDS = new Set(kindList.flatMap(({ fileNames }) => fileNames.optOutHeadings));

/** As cells and as statuses: the person does not want it. */
const OPTED_OUT = list(`
  unsubscribed unsubscribe nonmarketingcontact noconsent optedout optout stop stopped blocked blacklisted blocklisted suppressed complained nonsubscribed
  notsubscribed donotcontact dnc
  gesperrt blockiert abgemeldet ausgetragen abbestellt widerrufen widersprochen nichtabonniert
  desuscrito dadodebaja baja bloqueado bloqueada nosuscrito
  desinscrit desabonne bloque nonabonne noninscrit
  descadastrado descadastrada naoinscrito cancelado cancelada`);
const NO = list(`
  no n false 0 off none never notallowed donotallow disallowed disabled rejected declined denied revoked withdrawn refused inactive
  nein falsch aus nie abgelehnt verweigert inaktiv
  falso rechazado rechazada denegado inactivo
  non faux refuse refusee inactif
  nao f recusado recusada negado inativo`);
const YES = list(`
  yes y true t 1 on x ok allowed allow enabled  ja j wahr ein  si s verdadero  oui o vrai  sim v verdadeiro`);
/** As cells: the person wants it, also in a column that tells who does not. */
const OPTED_IN = list(`
  subscribed doubleoptin singleoptin marketingcontact optedin optin confirmed accepted agreed granted given consented active
  abonniert angemeldet eingetragen bestatigt zugestimmt erteilt eingewilligt einverstanden aktiv
  suscrito suscrita aceptado aceptada confirmado confirmada activo
  abonne abonnee inscrit inscrite accepte acceptee confirme actif
  inscrito inscrita assinante aceito aceita ativo`);
/** Neither has been said yet. */
const NOTHING = list(`unknown pending unconfirmed notset null na nv
  unbekannt ausstehend unbestatigt offen desconocido pendiente inconnu enattente desconhecido pendente`);

/** Parts of such names, as programs put them together: `HasOptedOutOfEmail`, `SMS_BLACKLISTED`, `allowBroadcast`. */
const OPT_OUT_WORDS =
  /opt(?:ed)?out|unsub(?:scri|time|date|$)|(?:do|should)not(?:call|contact|email|mail|sms|text|phone|disturb|market|message|bulk|write)|donot(?:bulk)?(?:e?mail|phone|sms|contact|call)|^(?:is)?dn[cd]$|blacklist|blocklist|suppress|nobulk|nomarketing|noemails|nosms|excludefrommarketing|marketingexclu|werbesperr|kontaktsperr|keinewerbung|abgemeldet|abbestellt|widerspr|widerruf|desuscri|desinscri|desabonn|descadastr|dadodebaja|nocontactar|naocontat|nepascontact|notcontactable/;
const CONSENT_WORDS =
  /opt(?:ed)?in(?!g)|subscri(?:bed|ber|ption)?status|issubscri|^subscribed|consent(?!ment)|allow(?:s|ed)?(?:broadcast|campaign|marketing|sms|email|mail|contact|messag|promo|newsletter|advert)|(?:broadcast|campaign|marketing|newsletter|promo(?:tion)?s?)(?:allowed|permitted|permission|enabled|active|ok|accepted|agreed|status)|accepts?(?:email|sms)?(?:marketing|newsletter|promo|advert)|cancontact|maycontact|contactallowed|permissionto|gdpr|marketingstatus|einwillig|einverstand|zustimm|werb(?:ung|e)?(?:erlaub|einw|zust|ok)|dsgvo|consentim|rgpd|lgpd|acepta(?:publi|market|promo|recib)|aceita(?:publi|market|promo|receb)|accepte(?:publi|market|promo|recev)/;
/** When, why or how it was said is no answer by itself. */
const NO_ANSWER =
  /(?:reason|grund|motivo|raison|source|quelle|origen|origine|method|ip|url|text|note|version|campaign|by|comment|category|confirm(?:ation)?(?:time|ip))$/;
/** A heading that may be about it, and of which nobody knows what its values mean. */
const MAYBE =
  /consent|optin|optout|opted|subscri|unsub|newsletter|marketing|promo(?:tion|s|$)|broadcast|permission|gdpr|dsgvo|rgpd|lgpd|contactable|preference|blocked|blacklist|donot|werbung|einwillig|zustimm|abgemeld|suscri|boletin|publicidad|consenti|abonn|desinscri|publicite|inscri(?:to|cao)|descadastr|propaganda|privacy|datenschutz|mailing(?!street|city|state|zip|country|address)|(?:^|may|can|ok)(?:sms|email|whats)?contact(?:ok|allowed|permission)/;

/** Whether a column that means nothing else may be about marketing: what becomes of it is asked before anything is stored. */
export function mayBeConsent(heading: string): boolean {
  const word = bare(heading);
  return !NO_ANSWER.test(word) && readConsentHeading(heading) === undefined && MAYBE.test(word);
}

/** What a heading says about consent, if anything. */
export function readConsentHeading(heading: string): ConsentColumn | undefined {
  const word = bare(heading);
  if (OPT_OUT_NAMES.has(word) || OPT_OUT_OF_KINDS.has(word)) return 'optOut';
  if (NO_ANSWER.test(word)) return undefined;
  if (OPT_OUT_WORDS.test(word)) return 'optOut';
  if (CONSENT_WORDS.test(word)) return 'consent';
  return CONSENT_NAMES.has(word) || CONSENT_OF_KINDS.has(word) ? 'consent' : undefined;
}

/** A yes to SMS or mail is none to our kinds of channels, unless the person who imports states that it was meant so; a no counts everywhere. */
export function speaksOfOtherChannel(heading: string): boolean {
  const word = bare(heading);
  return /sms|mail/.test(word) && !NAMES_OF_KINDS.some((name) => word.includes(name));
}

/** Of several such columns the one that speaks of messages to telephones is meant, and comes first. */
export function sortByConsent(headings: readonly string[]): string[] {
  const rank = (heading: string) => (readConsentHeading(heading) ? rankOf(bare(heading)) : CHANNELS.length);
  return headings.toSorted((one, other) => rank(one) - rank(other));
}

const NAMES_OF_KINDS = kindList.map(({ name }) => name);
const CHANNELS = [...NAMES_OF_KINDS, 'sms'];

function rankOf(word: string): number {
  const place = CHANNELS.findIndex((channel) => word.includes(channel));
  return place === -1 ? CHANNELS.length : place;
}

export type ConsentValues = Partial<Record<ConsentColumn | 'status', unknown>>;

/**
 * What a row says about marketing: null when it says nothing, the column at fault when it cannot be understood. Whoever
 * opted out in one column has opted out. A status only ever tells that somebody has.
 */
export function readImportedConsent(
  values: ConsentValues,
  now: Date,
): ImportedConsent | null | { unclear: ConsentColumn } {
  const consent = readWish(values.consent, now);
  const optOut = readOptOuts(values.optOut, now);
  if (!consent) return { unclear: 'consent' };
  if (!optOut) return { unclear: 'optOut' };
  if (optOut.wish === 'yes' || optOut.wish === 'out')
    return say('opt_out', optOut.value, endOfDay(optOut.value, optOut.days.at(-1), now));
  if (consent.wish === 'no' || consent.wish === 'out') return say('opt_out', values.consent);
  if (OPTED_OUT.has(bare(values.status)) && values.status !== 'blocked') return say('opt_out', values.status);
  return consent.wish === null ? null : say('opt_in', values.consent, consent.days[0]);
}

/** The same of a row that fails for whatever reason: an opt-out that any of its columns tells for certain. */
export function findOptOut(values: ConsentValues, now: Date): ImportedConsent | null {
  for (const column of ['optOut', 'consent', 'status'] as const) {
    const said = readImportedConsent({ [column]: values[column] }, now);
    if (said && 'kind' in said && said.kind === 'opt_out') return said;
  }
  return null;
}

function say(
  kind: ImportedConsent['kind'],
  value: unknown,
  saidOn: Date | null | undefined = null,
): ImportedConsent {
  return { kind, words: cleanText(textOf(value)).slice(0, MOST_WORDS), saidOn: saidOn ?? null };
}

/** So much of a cell, or of a statement, is kept. */
export const MOST_WORDS = 200;

/** Of several such columns one that says no is enough; undefined where none does and one cannot be understood. */
function readOptOuts(value: unknown, now: Date): (Wish & { value: unknown }) | undefined {
  const read = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const wish = readWish(one, now);
    return wish && { ...wish, value: one };
  });
  return (
    read.find((wish) => wish?.wish === 'yes' || wish?.wish === 'out') ??
    (read.includes(undefined) ? undefined : (read.find((wish) => wish?.wish !== null) ?? read[0]))
  );
}

/** `days`: when it was said, where that is what it says, as early and as late as it can be read. */
type Wish = { wish: 'yes' | 'no' | 'in' | 'out' | null; days: readonly Date[] };

/** A day stands for yes on that day. Undefined for what is neither yes, no nor nothing. */
function readWish(value: unknown, now: Date): Wish | undefined {
  const read = readDays(value);
  const days = read.filter((day) => day <= now);
  if (read.length > 0) return days.length > 0 ? { wish: 'yes', days } : undefined;
  const word = bare(value);
  if (OPTED_OUT.has(word)) return { wish: 'out', days };
  if (NO.has(word)) return { wish: 'no', days };
  if (YES.has(word)) return { wish: 'yes', days };
  if (OPTED_IN.has(word)) return { wish: 'in', days };
  return NOTHING.has(word) || isEmpty(value) ? { wish: null, days } : undefined;
}

/**
 * Without a zone it is UTC. Of a day that can be read in two ways, such as 03/04/2026, both come, the earlier one first.
 */
function readDays(value: unknown): Date[] {
  const written = isEmpty(value) ? undefined : readWrittenDay(textOf(value));
  if (!written) return [];
  return [...new Set(dayOrders.map((order) => written[order]))]
    .flatMap((day) => readMoment(day, written.clock, written.zone) ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime());
}

function readMoment(day: string, time = '00:00', zone = 'Z'): Date | null {
  if (!isDay(day)) return null;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  const read = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(read) ? null : new Date(read);
}

/** Who opted out on a day may have done so after all that was said on it. */
function endOfDay(value: unknown, on: Date | undefined, now: Date): Date | null {
  if (on === undefined || /:/.test(textOf(value))) return on ?? null;
  return new Date(Math.min(on.getTime() + A_DAY_MS - 1, now.getTime()));
}

const A_DAY_MS = 24 * 60 * 60_000;
/** What programs write for no date at all: 0001-01-01, 1970-01-01, 0000-00-00. */
const FIRST_YEAR = 1990;

function isEmpty(value: unknown): boolean {
  const text = textOf(value, 'something');
  const year = readWrittenDay(text)?.year;
  return /^[\s\-–—.?/]*$/.test(text) || (year !== undefined && year < FIRST_YEAR);
}

function textOf(value: unknown, otherwise = ''): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === undefined || value === null ? '' : otherwise;
}

/** Small letters and figures alone, without accents; of ticks the letter that they stand for. */
function bare(value: unknown): string {
  return textOf(value)
    .replace(/^[✓✔☑✅]\ufe0f?$/u, 'x')
    .replace(/^[✗✘❌]\ufe0f?$/u, 'no')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
