import { isObject, listOf, textOf } from '../core/json.ts';

/** Somebody whom the provider knows. */
export interface Person {
  sub: string;
  email: string | null;
  emailVerified: boolean;
  givenName: string;
  familyName: string;
  groups: string[];
}

export const defaultPeople: readonly Person[] = [
  person('ada', 'ada@company.test', 'Ada', 'Lovelace', ['it', 'staff']),
  person('grace', 'grace@company.test', 'Grace', 'Hopper', ['marketing', 'staff']),
  person('alan', 'alan@company.test', 'Alan', 'Turing', ['support', 'staff']),
  { ...person('mallory', 'admin@example.com', 'Mallory', 'Doe', ['staff']), emailVerified: false },
];

function person(sub: string, email: string, givenName: string, familyName: string, groups: string[]): Person {
  return { sub, email, emailVerified: true, givenName, familyName, groups };
}

/** A person as a control describes one; undefined without a `sub`. */
export function readPerson(body: unknown, before: Person | undefined): Person | undefined {
  const given = isObject(body) ? body : {};
  const sub = textOf(given['sub']);
  if (!sub) return undefined;
  return {
    sub,
    email: given['email'] === undefined ? (before?.email ?? null) : (textOf(given['email']) ?? null),
    emailVerified:
      given['emailVerified'] === undefined
        ? (before?.emailVerified ?? true)
        : given['emailVerified'] === true,
    givenName: textOf(given['givenName']) ?? before?.givenName ?? sub,
    familyName: textOf(given['familyName']) ?? before?.familyName ?? '',
    groups:
      given['groups'] === undefined
        ? (before?.groups ?? [])
        : listOf(given['groups']).filter((group) => typeof group === 'string'),
  };
}
