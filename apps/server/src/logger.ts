import { pino } from 'pino';

/** Structured logs to standard output; fields that may hold a secret are blanked wherever they stand. */
export function createLogger(level: string) {
  return pino({
    level,
    redact: {
      paths: [
        'authorization',
        'cookie',
        'password',
        'token',
        'accessToken',
        'appSecret',
        'verifyToken',
        'secret',
      ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[hidden]',
    },
  });
}
