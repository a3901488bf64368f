/** Of the accounts of the sample workspace, by role: everybody knows their password. */
export const sampleAddressOf = {
  admin: 'admin@example.com',
  manager: 'manager@example.com',
  agent: 'agent@example.com',
  viewer: 'viewer@example.com',
} as const;

/** Theirs, as the sign-in page and the documents of the product say it. */
export const SAMPLE_PASSWORD = 'Welcome123';

export const SAMPLE_ADDRESSES: readonly string[] = Object.values(sampleAddressOf);
