import { orpc } from '../../shared/api.ts';

export function profileOptions() {
  return orpc.profile.get.queryOptions({ input: {} });
}

export function twoFactorOptions() {
  return orpc.twoFactor.get.queryOptions({ input: {} });
}

export function companySignInOptions() {
  return orpc.companySignIn.get.queryOptions({ input: {} });
}

/** Everything that this page shows. */
export function profileKeys() {
  return [orpc.profile.key(), orpc.twoFactor.key(), orpc.passkeys.key(), orpc.companySignIn.key()];
}
