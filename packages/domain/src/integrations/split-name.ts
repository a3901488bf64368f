/** First and last name as one, and one name as both: joined again they are the same. The last word is the last name. */
export function joinName(first: string | null | undefined, last: string | null | undefined): string | null {
  const name = [first, last]
    .map((part) => (part ?? '').trim())
    .filter(Boolean)
    .join(' ');
  return name === '' ? null : name;
}

export function splitName(name: string): { first: string; last: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop()! : ''; // there are two or more
  return { first: words.join(' '), last };
}
