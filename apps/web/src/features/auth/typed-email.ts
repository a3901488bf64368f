import { readEarlyInput } from '../../shared/sign-in/early-input.ts';

let typedEmail = '';

/** Keeps the address while the visitor moves between the forms of sign-in, sign-up and a forgotten password. */
export function keepTypedEmail(email: string): void {
  typedEmail = email;
}

export function readTypedEmail(): string {
  typedEmail ||= readEarlyInput('email');
  return typedEmail;
}
