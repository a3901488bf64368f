/** A live event names at most so many conversations or messages. A browser that is told of this many assumes that there are more. */
export const MOST_NAMED = 50;
