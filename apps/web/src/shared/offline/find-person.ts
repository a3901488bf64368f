import { searchedNumber } from '@app/domain/contacts/searched-number';
import { holdsText } from './kept-rows.ts';

type Person = {
  name: string;
  phone: string | null;
  email?: string | null | undefined;
  tags?: readonly string[] | undefined;
};

/** Whether the server would find them for these words: by a part of a text, or by a number however it is written. */
export function findsPerson({ name, phone, email = null, tags = [] }: Person, search: string): boolean {
  const number = searchedNumber(search.trim());
  return holdsText([name, phone, email, ...tags], search) || (number !== null && holdsText([phone], number));
}
