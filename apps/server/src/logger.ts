import { pino, type DestinationStream } from 'pino';
import { channelKinds } from './channel-kinds.ts';
import { createConnectorKinds } from './connector-kinds.ts';
import { describeError } from './describe-error.ts';

const hidden = new Set([
  ...['authorization', 'cookie', 'password', 'token', 'secret', 'secrets', 'credentials'],
  // What opens a channel or a connector of any kind.
  ...[...channelKinds, ...createConnectorKinds({ sandboxUrl: undefined })].flatMap(({ credentials }) =>
    credentials.fields.filter(({ isSecret }) => isSecret).map(({ name }) => name),
  ),
]);

/** Structured logs to standard output; fields that may hold a secret are blanked wherever they stand. */
export function createLogger(level: string, destination?: DestinationStream) {
  const options = {
    level,
    serializers: { err: (error: unknown) => describeError(error) },
    redact: {
      paths: [...hidden].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[hidden]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
