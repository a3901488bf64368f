import { isStorableText } from '../text/storable-text.ts';
import type { Role } from './permissions.ts';

/** The roles a person may ask for, in the order in which the sign-up form offers them. */
export const requestableRoles = ['agent', 'manager', 'admin'] as const;

export const MIN_PASSWORD_LENGTH = 8;
/** Longer passwords are refused before they are hashed, which would take as long as the sender likes. */
export const MAX_PASSWORD_LENGTH = 128;
const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;

export type SignUpForm = {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  role: Role;
  password: string;
  confirmPassword: string;
};

/** Everything that can be wrong with an account's fields, with its English sentence. */
export const signUpSentences = {
  firstNameMissing: 'First name is required',
  firstNameTooLong: 'First name must be at most 100 characters long',
  lastNameMissing: 'Last name is required',
  lastNameTooLong: 'Last name must be at most 100 characters long',
  emailMissing: 'Email is required',
  emailInvalid: 'Please enter a valid email address',
  phoneNumberInvalid: 'Please enter a valid phone number',
  passwordMissing: 'Password is required',
  passwordTooShort: 'Password must be at least 8 characters long',
  passwordTooLong: 'Password must be at most 128 characters long',
  passwordTooPlain:
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  passwordsDiffer: 'Passwords do not match',
  textUnstorable: 'This text holds a character that cannot be stored',
} as const;

export type SignUpProblem = keyof typeof signUpSentences;
export type SignUpProblems = Partial<Record<keyof SignUpForm, SignUpProblem>>;

/** What is wrong with a sign-up form, by field; nothing for a good one. */
export function checkSignUp(form: SignUpForm): SignUpProblems {
  const found: [keyof SignUpForm, SignUpProblem | null][] = [
    ['firstName', checkName(form.firstName, 'firstName')],
    ['lastName', checkName(form.lastName, 'lastName')],
    ['email', checkEmail(form.email)],
    ['phoneNumber', checkPhoneNumber(form.phoneNumber)],
    ['password', checkPassword(form.password)],
    ['confirmPassword', form.password === form.confirmPassword ? null : 'passwordsDiffer'],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

/** Why a password may not be chosen, or null. */
export function checkPassword(password: string): SignUpProblem | null {
  if (!password) return 'passwordMissing';
  if (!isStorableText(password)) return 'textUnstorable';
  if (password.length < MIN_PASSWORD_LENGTH) return 'passwordTooShort';
  if (password.length > MAX_PASSWORD_LENGTH) return 'passwordTooLong';
  const isMixed = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/.test(password);
  return isMixed ? null : 'passwordTooPlain';
}

/** Why this is no mail address, or null. Spaces around it do not count. */
export function checkEmail(email: string): SignUpProblem | null {
  const address = email.trim();
  if (!address) return 'emailMissing';
  const looksRight = /^[^\s@<>()[\],;:\\"]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address);
  // An invisible character makes two addresses of what people read as one.
  return looksRight && !/\p{C}/u.test(address) && address.length <= MAX_EMAIL_LENGTH ? null : 'emailInvalid';
}

/** Addresses are compared without regard to case, outer spaces and the way in which accents are written. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Why this is no name of a person, or null. */
export function checkName(name: string, field: 'firstName' | 'lastName'): SignUpProblem | null {
  if (!name.trim()) return `${field}Missing`;
  if (!isStorableText(name)) return 'textUnstorable';
  return name.trim().length > MAX_NAME_LENGTH ? `${field}TooLong` : null;
}

/** Digits, spaces, hyphens and parentheses, with a plus in front if liked; the field may stay empty. */
export function checkPhoneNumber(phoneNumber: string): SignUpProblem | null {
  const given = phoneNumber.trim();
  const looksRight = /^\+?[\d\s()-]{1,32}$/.test(given) && /\d/.test(given);
  return !given || looksRight ? null : 'phoneNumberInvalid';
}
