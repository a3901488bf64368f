import { isSampleHintDue } from './sample-hint-due.ts';
import { useSession } from '../session.ts';

/** The place of the hint until it is there, so that the page below does not move. */
export function SampleHintPlace() {
  const session = useSession();
  if (session.status !== 'signed-in' || !isSampleHintDue(session.workspace)) return null;
  return (
    <div
      aria-hidden
      data-banner
      className="h-[37px] shrink-0 max-md:in-[body:not(:has([data-home]))]:hidden"
    />
  );
}
