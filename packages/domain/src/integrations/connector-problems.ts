/** Each has a sentence with the next step in the catalogues of the web. */
export const connectorProblems = [
  'credentials_wrong',
  'permission_missing',
  'account_unknown',
  'service_busy',
  'service_away',
  'service_rejected',
  'response_unreadable',
  'address_refused',
  /** The account has several of what is exchanged; `detail` lists them. */
  'choice_needed',
  /** Mapped fields were deleted on one side; `detail` lists them. */
  'field_missing',
  /** The plan has no room for more contacts; `detail` is how many records wait. */
  'plan_full',
  /** After a restore: the installation of before may still exchange with this account. */
  'restored',
] as const;
export type ConnectorProblem = (typeof connectorProblems)[number];

/** Problems that no later attempt mends: a person has to. */
export const needsPerson: readonly ConnectorProblem[] = [
  'credentials_wrong',
  'permission_missing',
  'account_unknown',
  'address_refused',
  'choice_needed',
];
