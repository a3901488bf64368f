/** Errors of signing in and of the account, see `errorTable`. */
export const authErrors = {
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  account_inactive: {
    status: 403,
    message: 'This account is not active. An administrator of your workspace can activate it.',
  },
  sample_locked: {
    status: 403,
    message: 'The sample workspace is locked on a server that others can reach.',
  },
  email_unverified: {
    status: 403,
    message: 'Please confirm your email address first. We sent you a link.',
  },
  address_link_invalid: { status: 422, message: 'This link has expired or was already used.' },
  sign_in_expired: { status: 422, message: 'This sign-in took too long. Please begin again.' },
  code_wrong: { status: 422, message: 'This code is wrong or was already used.' },
  two_factor_locked: { status: 429, message: 'Too many wrong codes. Please try again later.' },
  two_factor_needed: { status: 403, message: 'Your workspace requires a second factor. Set it up first.' },
  two_factor_on: { status: 409, message: 'Two-factor sign-in is switched on.' },
  two_factor_off: { status: 409, message: 'Two-factor sign-in is not switched on.' },
  two_factor_not_begun: { status: 409, message: 'This secret has expired. Start again with a new one.' },
  password_needed: { status: 403, message: 'Please enter your password again to do this.' },
  password_wrong: { status: 422, message: 'This is not your current password.' },
  password_missing: { status: 409, message: 'This account has no password. Sign in again to do this.' },
  profile_invalid: { status: 422, message: 'Please correct the marked fields.' },
  passkey_refused: { status: 422, message: 'This passkey could not be used.' },
  passkey_not_found: { status: 404, message: 'There is no such passkey.' },
  passkey_known: { status: 409, message: 'This passkey was already added.' },
  too_many_passkeys: { status: 409, message: 'The limit of passkeys for one account is reached.' },
  company_sign_in_refused: { status: 403, message: 'The company sign-in was rejected or cancelled.' },
  company_sign_in_away: { status: 503, message: 'The company sign-in cannot be reached.' },
  email_link_invalid: {
    status: 422,
    message: 'This link has expired, was already used or is no longer valid.',
  },
  mail_missing: {
    status: 409,
    message: 'This installation sends no email. A user who manages users can change the address.',
  },
  factors_missing: { status: 409, message: 'This user has no sign-in method of this kind to reset.' },
  email_by_owner: {
    status: 409,
    message: 'Users change their own address. A link is sent to the new one.',
  },
  company_sign_in_unlinked: {
    status: 409,
    message:
      'An account with your address exists. Sign in to it and connect the company sign-in in your profile.',
  },
  company_email_missing: { status: 422, message: 'The company sign-in did not provide your email address.' },
  company_account_taken: {
    status: 409,
    message: 'Another company account or another user is already connected.',
  },
  company_sign_in_off: { status: 409, message: 'No company sign-in is set up.' },
  company_not_linked: { status: 409, message: 'No company account is connected to this account.' },
  company_only_way_in: {
    status: 409,
    message: 'The company account is the only way to sign in to this account.',
  },
  email_taken: { status: 409, message: 'An account with this email address already exists' },
  reset_link_invalid: { status: 422, message: 'This link has expired or was already used.' },
  account_locked: { status: 429, message: 'Too many failed sign-ins. Please try again later.' },
  sign_in_slowed: {
    status: 429,
    message: 'Too many wrong passwords for this address. Please try again in a moment.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please try again later.' },
} as const;
