/** A live event names at most so many conversations or messages. Whoever hears of as many takes them for the last of more. */
export const MOST_NAMED = 50;
