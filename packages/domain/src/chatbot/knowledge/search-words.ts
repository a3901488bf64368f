/** Words that say nothing about what somebody asks, in the five languages of the interface, without accents. */
const FILLERS = new Set(
  `a an and are as at be by can could did do does for from had has have hello hey hi how i if in is it its me my of on or our please so some tell that the
   their them there they this to us want was we were what when where which who why will with would you your
   al algo como con cual cuando cuanto de del donde el ella en es esta este hay hola la las le lo los me mi mis nos o para pero por que quien se si sin
   su sus tiene tienen tu un una uno unos y yo
   au aux avec bonjour ce ces cette comment dans des du elle en est et etes il ils j je l la le les leur ma mes moi mon n ne nous on ou par pas pour pouvez
   qu quand que quel quelle quelles quels qui quoi sa ses son sont sur un une vos votre vous y
   aber als am an auch auf aus bei bin bis bitte da das dass dein dem den der die dir du ein eine einem einen einer es euch euer fur gibt habe haben hat ich
   ihr im in ist ja kann kein konnen man mein mich mir mit nach nicht noch oder sein sich sie sind so und uns vom von wann warum was welche wer wie wir wird
   wo zu zum zur
   ao aos as ate com como da das de dele do dos e ela ele em entre essa esse esta este eu faz foi ha isso ja mais mas me meu minha na nas no nos num o onde os
   ou para pela pelo por qual quando quanto que quem se sem seu sua ola oi tem tenho um uma voce voces`
    .split(/\s+/)
    .filter(Boolean),
);

const MOST_WORDS = 24;
/** Of a long word the beginning decides: “openings” finds “opening”, “Bestellungen” finds “Bestellung”. */
const LEAST_STEM = 4;

/** In small letters, without accents. */
export function foldWords(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a question that a search looks for. */
export function findSearchWords(question: string): string[] {
  const words = foldWords(question).match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word) && (word.length > 1 || /\p{N}/u.test(word)));
  return [...new Set(telling)].slice(0, MOST_WORDS);
}

/** The same as a `tsquery` of the configuration `simple`: any of the words, by their beginning. Null where a question has none. */
export function toSearchQuery(question: string): string | null {
  const terms = findSearchWords(question).flatMap((word) => {
    if (word.length < LEAST_STEM || /^\p{N}+$/u.test(word)) return [word];
    const stem = word.length > LEAST_STEM + 1 ? word.slice(0, Math.max(LEAST_STEM, word.length - 2)) : word;
    // And the other way round: “opening” finds “open”.
    const shorter = Math.max(LEAST_STEM, word.length - 4);
    const exact = Array.from({ length: Math.max(0, stem.length - shorter) }, (_, more) =>
      word.slice(0, shorter + more),
    );
    return [...exact, `${stem}:*`];
  });
  return terms.length === 0 ? null : terms.join(' | ');
}
