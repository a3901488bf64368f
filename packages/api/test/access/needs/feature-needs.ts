/**
 * Who may call the routes of one feature, written from the specification and not from the contract. A route without a place here
 * fails the test. Endpoints of the contract are named `router.procedure`, with spaces between them.
 */
export type FeatureNeeds = {
  /** What is needed, and every endpoint that needs it. */
  endpoints?: Record<string, string>;
  /** The same for addresses beside the contract, which carry files and streams, or ask for a proof of their own. */
  addresses?: Record<string, string[]>;
  /** These ask for a signature, a password or a mailed link; tests of their own stand beside them. */
  ownAuthentication?: string[];
  /** Dangerous to one's own account: the password, or another proof, must be of a short while ago. */
  reauthentication?: string[];
  /** What a user may do who must set up a second factor first. */
  setUp?: string[];
  /** What a program may do with an API key, within what the key is for; everything else is for people alone. */
  keys?: { endpoints?: string; addresses?: string[] };
};
