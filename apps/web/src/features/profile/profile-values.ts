import type { SignUpProblem } from '@app/domain/auth/sign-up-rules';
import type { api } from '../../shared/api.ts';
import { t, type MessageKey } from '../../shared/messages.ts';

export type Profile = Awaited<ReturnType<typeof api.profile.get>>;

const sentences: Partial<Record<SignUpProblem, MessageKey>> = {
  firstNameMissing: 'profile.problem.firstNameMissing',
  firstNameTooLong: 'profile.problem.tooLong',
  lastNameMissing: 'profile.problem.lastNameMissing',
  lastNameTooLong: 'profile.problem.tooLong',
  emailMissing: 'profile.problem.emailMissing',
  emailInvalid: 'profile.problem.emailInvalid',
  phoneNumberInvalid: 'profile.problem.phoneNumberInvalid',
  textUnstorable: 'profile.problem.textUnstorable',
  passwordMissing: 'profile.password.tooShort',
  passwordTooShort: 'profile.password.tooShort',
  passwordTooLong: 'profile.password.tooLong',
  passwordTooPlain: 'profile.password.tooPlain',
};

/** The sentence of what is wrong with a field. */
export function problemText(problem: SignUpProblem): string {
  return t(sentences[problem] ?? 'common.error.invalid');
}
