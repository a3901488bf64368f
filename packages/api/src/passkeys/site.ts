import { isLoopback } from '@app/domain/network/loopback';

/**
 * What a passkey is bound to: the host name of the product, and the origin that its pages have. Browsers bind none to a bare
 * address: on one's own machine it is `localhost`.
 */
export function describeSite(publicUrl: string): { id: string; origin: string; name: string } {
  const url = new URL(publicUrl);
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin, name: 'WhatsApp Marketing Pro' };
}
