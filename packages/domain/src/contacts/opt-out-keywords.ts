/** Whole messages by which a person ends or renews consent, in the five languages of the product. */
const OPT_OUT = new Set(
  'stop stopp unsubscribe cancel end quit optout opt-out baja parar cancelar arret arrêt arreter arrêter desabonner désabonner abmelden abbestellen sair descadastrar'.split(
    ' ',
  ),
);
const OPT_IN = new Set(
  'start unstop subscribe optin opt-in alta inicio démarrer demarrer anmelden começar comecar'.split(' '),
);

/** What people add out of politeness, which changes nothing about the word. */
const POLITE = [
  ...[
    'please',
    'pls',
    'thanks',
    'thank you',
    'bitte',
    'danke',
    'danke schön',
    'por favor',
    'porfavor',
    'gracias',
  ],
  ...['s’il vous plaît', 's’il te plaît', 'svp', 'stp', 'merci', 'obrigado', 'obrigada', 'pf', 'pfv'],
];

/**
 * What a whole inbound message says about consent: `stop`, `start`, or null for anything else. Nobody is written to against
 * their word because they were polite; a renewal is taken from the word alone.
 */
export function readConsentKeyword(text: string): 'stop' | 'start' | null {
  const word = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (OPT_OUT.has(withoutCourtesy(word))) return 'stop';
  return OPT_IN.has(word) ? 'start' : null;
}

/** The message without the signs around its words, and without one courtesy at either end. */
function withoutCourtesy(text: string): string {
  if (text.length > LONGEST) return text;
  const words = trimSigns(text.normalize('NFC').replaceAll("'", '’'));
  const rest = trimSigns(words.replace(POLITE_FIRST, ''));
  return trimSigns(rest.replace(POLITE_LAST, ''));
}

/** No keyword with its courtesies is longer. */
const LONGEST = 60;
const POLITE_FIRST = new RegExp(`^(?:${POLITE.join('|')})(?![\\p{L}\\p{N}])`, 'u');
const POLITE_LAST = new RegExp(`(?<![\\p{L}\\p{N}])(?:${POLITE.join('|')})$`, 'u');

function trimSigns(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
