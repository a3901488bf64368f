import type { ContactChoice } from './bulk-removal.ts';
import type { Segment } from './contacts-queries.ts';

/** People who were chosen in one feature for a message that another one writes. */
export type HandedPeople = { choice: ContactChoice; segment?: Segment | undefined };

let handed: HandedPeople | undefined;

/** Keeps them until the page that is opened next takes them. */
export function handPeople(people: HandedPeople): void {
  handed = people;
}

/** What was handed last, and stays until `clearHanded`: a page may be drawn twice before it is shown. */
export function handedPeople(): HandedPeople | undefined {
  return handed;
}

export function clearHanded(): void {
  handed = undefined;
}
