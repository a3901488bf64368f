import type { ConnectorField } from './connector-kind.ts';
import type { ConnectorProblem } from './connector-problems.ts';

/** The field of a form that a refusal of the service is about; null where it is about none, such as a service that is away. */
export function refusedField(fields: readonly ConnectorField[], problem: ConnectorProblem): string | null {
  const shown = fields.filter(({ isHidden }) => !isHidden);
  const secret = shown.find(({ isSecret }) => isSecret);
  const open = shown.find(({ isSecret, isAdvanced }) => !isSecret && !isAdvanced);
  switch (problem) {
    case 'credentials_wrong':
    case 'permission_missing':
      return (secret ?? shown[0])?.name ?? null;
    case 'account_unknown':
    case 'address_refused':
      return (open ?? shown[0])?.name ?? null;
    case 'choice_needed':
      return shown.find(({ isSecret, isAdvanced }) => !isSecret && isAdvanced)?.name ?? null;
    default:
      return null;
  }
}
