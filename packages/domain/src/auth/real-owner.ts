import { SAMPLE_PASSWORD } from './sample-addresses.ts';
import { checkSignUp, type SignUpForm, type SignUpProblem } from './sign-up-rules.ts';

export type RealOwnerForm = Pick<
  SignUpForm,
  'firstName' | 'lastName' | 'email' | 'password' | 'confirmPassword'
>;
export type RealOwnerProblem = SignUpProblem | 'passwordKnown';

/** What is wrong with the account of somebody who leaves the sample, by field: that of a sign-up, and a password that everybody knows. */
export function checkRealOwner(form: RealOwnerForm): Partial<Record<keyof RealOwnerForm, RealOwnerProblem>> {
  const { phoneNumber: _, role: __, ...found } = checkSignUp({ ...form, phoneNumber: '', role: 'admin' });
  if (form.password.normalize('NFKC') !== SAMPLE_PASSWORD) return found;
  return { ...found, password: 'passwordKnown' };
}
