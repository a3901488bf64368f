import { GraphError } from '../errors.ts';

/** A create or edit call that the platform does not take: code 100, the reason in the subcode. */
export function refuseTemplate(parameter: string, reason: string, subcode?: number): never {
  throw new GraphError(100, {
    message: `Invalid parameter`,
    details: `${parameter}: ${reason}`,
    userTitle: 'Message template is not valid',
    userMessage: reason,
    ...(subcode === undefined ? {} : { subcode }),
  });
}
