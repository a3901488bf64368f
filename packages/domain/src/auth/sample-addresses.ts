/** Of the accounts of the sample workspace, by role: everybody knows their password. */
export const sampleAddressOf = {
  admin: 'admin@example.com',
  manager: 'manager@example.com',
  agent: 'agent@example.com',
  viewer: 'viewer@example.com',
} as const;

export const SAMPLE_ADDRESSES: readonly string[] = Object.values(sampleAddressOf);
