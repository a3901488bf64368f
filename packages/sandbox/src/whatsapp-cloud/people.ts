import { userIdOf } from './ids.ts';
import { magicEffectOf } from './magic-numbers.ts';

/** What a person set for themselves, in the app or in their profile. */
interface Person {
  name?: string;
  username?: string;
  /** Another id than the one that follows from the number. */
  userId?: string;
  hidesNumber?: boolean;
}

/** The customers, by the digits of their number; the platform tells a business of them by number, user id, or both. */
export class People {
  #people = new Map<string, Person>();
  #digitsByUserId = new Map<string, string>();
  readonly #spell: (digits: string) => string;

  /** `spell` says under which id the platform knows a number. */
  constructor(spell: (digits: string) => string = (digits) => digits) {
    this.#spell = spell;
  }

  /** What webhooks and answers call `wa_id`: the number that was dialled, or the other spelling of it. */
  waIdOf(recipient: string): string {
    return this.#spell(recipient);
  }

  nameOf(digits: string): string | undefined {
    return this.#people.get(this.#spell(digits))?.name;
  }

  usernameOf(digits: string): string | undefined {
    return this.#people.get(this.#spell(digits))?.username;
  }

  hidesNumber(digits: string): boolean {
    return this.#people.get(this.#spell(digits))?.hidesNumber ?? magicEffectOf(digits)?.hidesNumber ?? false;
  }

  userIdOf(digits: string): string {
    const id = this.#spell(digits);
    return this.#people.get(id)?.userId ?? userIdOf(id);
  }

  /** From now on this person can be written to by user id: the business was told of it. */
  meet(digits: string): void {
    this.#digitsByUserId.set(this.userIdOf(digits), this.#spell(digits));
  }

  /** The phone behind an address that a message was sent to: digits, or a user id that was told before. */
  phoneOf(recipient: string): string {
    return this.#digitsByUserId.get(recipient) ?? this.#spell(recipient);
  }

  change(digits: string, changes: Person): void {
    const id = this.#spell(digits);
    this.#people.set(id, { ...this.#people.get(id), ...changes });
  }

  /** The person goes on under another number, with the same user id. */
  changeNumber(from: string, to: string): void {
    const id = this.#spell(from);
    this.change(to, { ...this.#people.get(id), userId: this.userIdOf(id) });
    this.#people.delete(id);
    this.meet(to);
  }

  clear(): void {
    this.#people.clear();
    this.#digitsByUserId.clear();
  }
}
