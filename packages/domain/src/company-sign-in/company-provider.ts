import type { CompanyRules } from './company-rules.ts';

/** What belongs to one try to sign in; the provider hears state, nonce and a hash of the verifier. */
export type CompanyAttempt = {
  /** Where the provider sends the person back to. */
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  /** The person shall prove anew who they are, however lately they did so for something else. */
  isProof: boolean;
};

/** Whom the provider knows, as its signed answer says. */
export type CompanyIdentity = {
  issuer: string;
  /** The provider's own name of the person, which no other person ever gets. */
  subject: string;
  email: string | null;
  /** The provider says that the address is theirs. */
  isEmailVerified: boolean;
  firstName: string;
  lastName: string;
  /** When they last proved there who they are, as ISO text; null where the provider does not say. */
  provenAt: string | null;
  /** What the claim of the rules holds, such as groups. */
  values: string[];
};

/** `why` is for the log: a code or a sentence without anything of a person, and no secret. */
export type CompanyError = { outcome: 'refused' | 'away'; why: string };
export type CompanyAnswer = { outcome: 'identity'; identity: CompanyIdentity } | CompanyError;

/** The company's own provider (OpenID Connect), as the operator has named it. */
export type CompanyProvider = {
  /** What the button says. */
  name: string;
  issuer: string;
  rules: CompanyRules;
  /** Where the person goes to prove who they are. */
  askFor(attempt: CompanyAttempt): Promise<{ outcome: 'address'; address: string } | CompanyError>;
  /** Who came back with this query in the address; believes nothing that the provider did not sign for this attempt. */
  readAnswer(query: string, attempt: CompanyAttempt): Promise<CompanyAnswer>;
  /** Whether the provider can be used, and if not, why. */
  look(): Promise<CompanyError | null>;
  close(): Promise<void>;
};
