import { useEffect, useState } from 'react';
import { postAddressToken } from '../../shared/sign-in/sign-in-calls.ts';
import { authErrorMessage } from './auth-error-message.ts';

/** Confirms the address whose mailed link led here; true once it is done. The token leaves the address bar at once. */
export function useConfirmedAddress(onFailure: (text: string) => void): boolean {
  const [isConfirmed, setConfirmed] = useState(false);
  useEffect(() => {
    const url = new URL(location.href);
    const token = url.searchParams.get('confirm');
    if (!token) return;
    url.searchParams.delete('confirm');
    history.replaceState(null, '', url);
    postAddressToken(token).then(
      () => setConfirmed(true),
      (error: unknown) => onFailure(authErrorMessage(error, 'common.error.internal')),
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each visit: the token counts once
  }, []);
  return isConfirmed;
}
