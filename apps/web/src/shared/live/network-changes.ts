/** What a browser tells of its network. */
export const NETWORK_CHANGES = ['online', 'offline'] as const;
