import { isVisible } from './contact.ts';

type Identifiers = { phone: string | null; userId: string | null; username: string | null };

/** Whether a name is none: the number, the platform's id or the user name of somebody whose name was not known. */
export function isStandInName(name: string, { phone, userId, username }: Identifiers): boolean {
  const digits = name.replace(/[\s+().-]/g, '');
  return (
    !isVisible(name) || name === userId || name === username || (phone !== null && digits === phone.slice(1))
  );
}
