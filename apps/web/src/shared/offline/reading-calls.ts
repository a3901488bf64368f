/** The contract names what only reads by one of these verbs; the contract itself would weigh too much here. */
export function isReading(endpoint: string): boolean {
  return /^(get|list|search|summarize|count|find|preview|preflight|explain)/.test(endpoint);
}
