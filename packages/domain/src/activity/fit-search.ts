/** A sentence as its language has it: words, and the values that stand between them. */
export type SentencePart = string | { value: string };
/** What a value must be at its start, at its end, or as a whole. */
export type ValueFit = { name: string; at: 'start' | 'end' | 'whole'; text: string };

/**
 * Each way in which the text can stand in the sentence and touch its words: what the values must be for it. What stands within one
 * value is none of these. Both in one case.
 */
export function fitSearch(sentence: readonly SentencePart[], search: string): ValueFit[][] {
  const ways: ValueFit[][] = [];
  for (const [place, part] of sentence.entries()) {
    if (typeof part === 'string') {
      for (let from = 0; from < part.length; from += 1)
        ways.push(...follow([part.slice(from), ...sentence.slice(place + 1)], search));
    } else {
      for (let length = 1; length < search.length; length += 1) {
        const end: ValueFit = { name: part.value, at: 'end', text: search.slice(0, length) };
        const rest = follow(sentence.slice(place + 1), search.slice(length));
        ways.push(...rest.map((fits) => [end, ...fits]));
      }
    }
  }
  const free = ways.find((fits) => fits.length === 0);
  return free ? [free] : ways;
}

/** What the values must be for these parts to begin with the text. */
function follow([part, ...others]: readonly SentencePart[], text: string): ValueFit[][] {
  if (text === '') return [[]];
  if (part === undefined) return [];
  if (typeof part === 'string') {
    if (part.startsWith(text)) return [[]];
    return text.startsWith(part) ? follow(others, text.slice(part.length)) : [];
  }
  const ways: ValueFit[][] = [[{ name: part.value, at: 'start', text }]];
  for (let length = 0; length < text.length; length += 1) {
    const whole: ValueFit = { name: part.value, at: 'whole', text: text.slice(0, length) };
    ways.push(...follow(others, text.slice(length)).map((fits) => [whole, ...fits]));
  }
  return ways;
}
