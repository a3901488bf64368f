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

  nameOf(digits: string): string | undefined {
    return this.#people.get(digits)?.name;
  }

  usernameOf(digits: string): string | undefined {
    return this.#people.get(digits)?.username;
  }

  hidesNumber(digits: string): boolean {
    return this.#people.get(digits)?.hidesNumber ?? magicEffectOf(digits)?.hidesNumber ?? false;
  }

  userIdOf(digits: string): string {
    return this.#people.get(digits)?.userId ?? userIdOf(digits);
  }

  /** From now on this person can be written to by user id: the business was told of it. */
  meet(digits: string): void {
    this.#digitsByUserId.set(this.userIdOf(digits), digits);
  }

  /** The phone behind an address that a message was sent to: digits, or a user id that was told before. */
  phoneOf(recipient: string): string {
    return this.#digitsByUserId.get(recipient) ?? recipient;
  }

  change(digits: string, changes: Person): void {
    this.#people.set(digits, { ...this.#people.get(digits), ...changes });
  }

  /** The person goes on under another number, with the same user id. */
  changeNumber(from: string, to: string): void {
    this.change(to, { ...this.#people.get(from), userId: this.userIdOf(from) });
    this.#people.delete(from);
    this.meet(to);
  }

  clear(): void {
    this.#people.clear();
    this.#digitsByUserId.clear();
  }
}
