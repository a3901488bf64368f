/** Whole messages by which a person ends or renews consent, in the five languages of the product. */
const OPT_OUT = new Set(
  'stop stopp unsubscribe cancel end quit optout opt-out baja parar cancelar arret arrêt arreter arrêter desabonner désabonner abmelden abbestellen sair descadastrar'.split(
    ' ',
  ),
);
const OPT_IN = new Set(
  'start unstop subscribe optin opt-in alta inicio démarrer demarrer anmelden começar comecar'.split(' '),
);

/** What a whole inbound message says about consent: `stop`, `start`, or null for anything else. */
export function readConsentKeyword(text: string): 'stop' | 'start' | null {
  const word = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (OPT_OUT.has(word)) return 'stop';
  return OPT_IN.has(word) ? 'start' : null;
}
