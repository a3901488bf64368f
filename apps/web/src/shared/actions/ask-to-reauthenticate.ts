type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asked: Promise<boolean> | undefined;

/** The app says how it asks somebody to prove once more who they are. */
export function setReauthenticationAsker(asker: Ask | undefined): void {
  ask = asker;
}

/** Whether the person has proved it; of acts that ask at the same time, all wait for the one answer. */
export function askToReauthenticate(): Promise<boolean> {
  asked ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asked = undefined));
  return asked;
}
