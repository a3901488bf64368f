import { matchTrigger, triggerKeywords, type BotTrigger } from './bot-flow.ts';
import { compileKeywords, readMessage, SHORTEST_WITH_TYPO, stands, type Keyword } from './match-keywords.ts';

/** `stamp` is another one whenever the triggers are: without one they are compared. */
export type FlowToChoose = { id: string; stamp?: string; triggers: readonly BotTrigger[] };

/** A flow of a list, with the word of the message that begins it. */
export type ChosenFlow = { place: number; keyword: string };

/** Longer words are compared one by one: all their spellings would fill the memory. */
const LONGEST_INDEXED = 40;
/** So many lists of flows are remembered, those that were asked for last. */
const MOST_TABLES = 20;

/** A keyword of a flow of the list; entries are in the order in which they are asked. */
type Entry = { place: number; trigger: number; order: number; keyword: Keyword };

/**
 * The keywords of a list of flows by the first of their words: as it is written, and with each letter left out. Two words that differ by one letter, or by
 * two neighbours that are swapped, have such a spelling in common.
 */
type Table = {
  signature: string;
  exact: Map<string, Entry[]>;
  near: Map<string, Entry[]>;
  longest: number;
  /** Triggers that are compared one by one, with the place of their flow. */
  others: { place: number; trigger: number; value: BotTrigger }[];
};

const tables = new Map<string, Table>();

/**
 * The first flow of the list one of whose triggers the message has: the same as asking each trigger of each flow with `matchTrigger`. The table of keywords
 * is made once for each list of versions, so that a message costs by its own words and not by the number of flows.
 */
export function chooseFlow(flows: readonly FlowToChoose[], text: string): ChosenFlow | null {
  const { exact, near, longest, others } = tableOf(flows);
  const message = readMessage(text);
  let best: Entry | null = null;
  const look = (entries: readonly Entry[] = []): void => {
    for (const entry of entries)
      if ((best === null || comesBefore(entry, best)) && stands(message, entry.keyword)) best = entry;
  };
  for (const word of message.exact) {
    look(exact.get(word));
    if (word.length < SHORTEST_WITH_TYPO - 1 || word.length > longest + 2) continue;
    for (const spelling of spellingsOf(word)) look(near.get(spelling));
  }
  // A trigger of the same flow may come before.
  const found = best as Entry | null; // it is written within a function
  for (const { place, trigger, value } of others) {
    if (found && (place > found.place || (place === found.place && trigger > found.trigger))) break;
    const keyword = matchTrigger(value, text);
    if (keyword !== null) return { place, keyword };
  }
  return found && { place: found.place, keyword: found.keyword.keyword };
}

function comesBefore(a: Entry, b: Entry): boolean {
  return a.place - b.place < 0 || (a.place === b.place && (a.trigger - b.trigger || a.order - b.order) < 0);
}

function tableOf(flows: readonly FlowToChoose[]): Table {
  const signature = flows
    .map(({ id, stamp, triggers }) => `${id}/${stamp ?? JSON.stringify(triggers)}`)
    .join(' ');
  const known = tables.get(signature);
  if (known) {
    tables.delete(signature);
    tables.set(signature, known);
    return known;
  }
  const made = makeTable(flows, signature);
  const [oldest] = tables.keys();
  if (tables.size >= MOST_TABLES && oldest !== undefined) tables.delete(oldest);
  tables.set(signature, made);
  return made;
}

function makeTable(flows: readonly FlowToChoose[], signature: string): Table {
  const table: Table = { signature, exact: new Map(), near: new Map(), longest: 0, others: [] };
  for (const [place, { triggers }] of flows.entries())
    for (const [trigger, value] of triggers.entries()) {
      const keywords = value.type === 'keyword' ? compileKeywords(triggerKeywords(value.value)) : [];
      if (value.type !== 'keyword' || !keywords.every(isIndexed)) {
        table.others.push({ place, trigger, value });
        continue;
      }
      for (const [order, keyword] of keywords.entries()) {
        const [first = ''] = keyword.words;
        const entry = { place, trigger, order, keyword };
        add(table.exact, first, entry);
        table.longest = Math.max(table.longest, first.length);
        if ([...first].length >= SHORTEST_WITH_TYPO)
          for (const spelling of spellingsOf(first)) add(table.near, spelling, entry);
      }
    }
  return table;
}

function isIndexed({ words: [first], unspaced }: Keyword): boolean {
  return unspaced === null && first !== undefined && first.length <= LONGEST_INDEXED;
}

function add(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

/** The word, and the word without each of its letters. */
function spellingsOf(word: string): Set<string> {
  const letters = [...word];
  return new Set([word, ...letters.map((_, place) => letters.toSpliced(place, 1).join(''))]);
}
