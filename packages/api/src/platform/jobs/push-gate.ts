/** Pushes to browsers through their own push services; only jobs call it, so that nobody waits for a service. */
export type PushGate = {
  /** By which browsers know this installation. */
  publicKey: string;
  /** `gone` or `refused`: nothing will ever arrive there. Rejects where a later attempt may go well. */
  send(
    browser: { endpoint: string; p256dh: string; auth: string },
    /** `about`: what waits for the browser is replaced by what is about the same. */
    message: { text: string; about: string; now: Date },
  ): Promise<'sent' | 'gone' | 'refused'>;
};
