import { roles } from '@app/domain/auth/permissions';
import { signUpSentences, type SignUpForm, type SignUpProblem } from '@app/domain/auth/sign-up-rules';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { AuthError, type FieldIssue } from './auth-response.ts';

export type AcceptForm = Omit<SignUpForm, 'email' | 'role'> & { token: string };

export type SignInForm = { email: string; password: string; rememberMe: boolean };

/** What every form passes first: a JSON object of bounded length, and no text in it that no row can hold. */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  const body = parseObject(text);
  if (!body) refuseForm([{ field: '', code: 'body', message: 'Send a JSON object.' }]);
  refuseBadFields(
    Object.fromEntries(findUnstorableText(body).map(([field = '']) => [field, 'textUnstorable'])),
  );
  return body;
}

export function readSignInForm(body: Record<string, unknown>): SignInForm {
  const { rememberMe = false } = body;
  const [email, password] = [readText(body, 'email'), readText(body, 'password')];
  refuseBadFields({
    ...(!email.trim() && { email: 'emailMissing' }),
    ...(!password && { password: 'passwordMissing' }),
  });
  if (typeof rememberMe !== 'boolean')
    refuseForm([{ field: 'rememberMe', code: 'boolean', message: 'Send true or false.' }]);
  return { email, password, rememberMe };
}

export function readSignUpForm(body: Record<string, unknown>): SignUpForm {
  const role = roles.find((known) => known === (body.role ?? 'agent'));
  if (!role) refuseForm([{ field: 'role', code: 'role', message: 'Choose one of the roles.' }]);
  const password = readText(body, 'password');
  return {
    firstName: readText(body, 'firstName'),
    lastName: readText(body, 'lastName'),
    email: readText(body, 'email'),
    phoneNumber: readText(body, 'phoneNumber'),
    role,
    password,
    // The form compares the two; callers by hand need not send it twice.
    confirmPassword: body.confirmPassword === undefined ? password : readText(body, 'confirmPassword'),
  };
}

/** The role is that of the invitation, and so is the address: neither is read. */
export function readAcceptForm(body: Record<string, unknown>): AcceptForm {
  const password = readText(body, 'password');
  return {
    token: readText(body, 'token'),
    firstName: readText(body, 'firstName'),
    lastName: readText(body, 'lastName'),
    phoneNumber: readText(body, 'phoneNumber'),
    password,
    confirmPassword: body.confirmPassword === undefined ? password : readText(body, 'confirmPassword'),
  };
}

/** Empty for what is no text: the form's own rules refuse it then. */
export function readText(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}

export function refuseBadFields(problems: Record<string, SignUpProblem>): void {
  const issues = Object.entries(problems).map(([field, code]) => ({
    field,
    code,
    message: signUpSentences[code],
  }));
  if (issues.length > 0) refuseForm(issues);
}

function refuseForm(issues: FieldIssue[]): never {
  throw new AuthError('invalid_input', { issues });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
  } catch {
    return null;
  }
}
