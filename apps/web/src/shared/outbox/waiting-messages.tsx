import { useWaitingMessages } from './use-outbox.ts';

/** Shows nothing: sends what waits, whatever page is shown. */
export function WaitingMessages() {
  useWaitingMessages();
  return null;
}
