import { pino, type DestinationStream } from 'pino';
import { describeError } from './describe-error.ts';

/** Structured logs to standard output; fields that may hold a secret are blanked wherever they stand. */
export function createLogger(level: string, destination?: DestinationStream) {
  const options = {
    level,
    serializers: { err: (error: unknown) => describeError(error) },
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
  };
  return destination ? pino(options, destination) : pino(options);
}
