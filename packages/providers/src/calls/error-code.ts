/** The code of what a connection threw, also where several addresses were tried; empty where there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
