/** A refusal by the server: its code, the HTTP status, and `error.details` of its answer. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: unknown;

  constructor(code: string, { status, message, data }: { status: number; message?: string; data?: unknown }) {
    super(message ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}
