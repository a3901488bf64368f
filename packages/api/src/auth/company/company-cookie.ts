import { readTicket } from '../../company-sign-in/attempt-secrets.ts';
import { ATTEMPT_SECONDS } from '../../company-sign-in/company-attempts.ts';
import type { AuthParts } from '../auth-parts.ts';
import { nameCookie } from '../cookie-names.ts';
import { readCookie } from '../read-cookie.ts';

/** As many windows of one browser can be on their way to the provider at once. */
const MOST_TICKETS = 5;

/** Whether this browser began the attempt: nobody can be signed in by an answer that another one fetched. */
export function hasTicket(parts: AuthParts, request: Request, attemptId: string): boolean {
  return readTickets(parts, request).some((ticket) => readTicket(parts.secrets, ticket) === attemptId);
}

export function addTicket(parts: AuthParts, request: Request, ticket: string): string {
  return writeTickets(parts, [ticket, ...readTickets(parts, request)].slice(0, MOST_TICKETS));
}

export function dropTicket(parts: AuthParts, request: Request, attemptId: string): string {
  const others = readTickets(parts, request).filter((ticket) => !ticket.startsWith(`${attemptId}.`));
  return writeTickets(parts, others);
}

function readTickets(parts: AuthParts, request: Request): string[] {
  const value = readCookie(request.headers.get('cookie') ?? '', nameCookie('company', parts)) ?? '';
  return value.split('~').filter(Boolean).slice(0, MOST_TICKETS);
}

/** Lax: it comes along when the provider sends the browser back. */
function writeTickets(parts: AuthParts, tickets: readonly string[]): string {
  const seconds = tickets.length > 0 ? ATTEMPT_SECONDS : 0;
  const attributes = `Max-Age=${seconds}; Path=/api/auth/company; HttpOnly; SameSite=Lax`;
  return `${nameCookie('company', parts)}=${tickets.join('~')}; ${attributes}${parts.isSecure ? '; Secure' : ''}`;
}
