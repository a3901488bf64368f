import { connectorCategories, type ConnectorCategory } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { readFailure } from '../../shared/api-client.ts';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { findText, t } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Integrations = Awaited<ReturnType<typeof api.integrations.list>>;
export type Integration = Integrations['items'][number];
export type IntegrationRun = Awaited<ReturnType<typeof api.integrations.listRuns>>['items'][number];
export type Events = Awaited<ReturnType<typeof api.integrationEvents.get>>;
export type FailedRecord = Awaited<ReturnType<typeof api.integrations.listErrors>>['items'][number];

export const integrationKeys = () => [orpc.integrations.key(), orpc.integrationEvents.key()];
export const integrationsOptions = () => orpc.integrations.list.queryOptions({ input: {} });

export const integrationDialogs = ['', 'add', 'connect', 'configure'] as const;
export type IntegrationDialog = (typeof integrationDialogs)[number];

/** The parts of the address that belong to the cards, on both pages that show them. */
export function readIntegrationsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    category: readOneOf(search, 'category', ['', ...connectorCategories] as const),
    dialog: readOneOf(search, 'dialog', integrationDialogs),
    kind: readText(search, 'kind'),
  };
}
export type IntegrationsSearch = ReturnType<typeof readIntegrationsSearch>;

/** The cards that the search and the category leave, in their order. */
export function findIntegrations(
  items: readonly Integration[],
  { search, category }: { search: string; category: '' | ConnectorCategory },
): Integration[] {
  const wanted = search.trim().toLowerCase();
  return items.filter(
    (one) =>
      (category === '' || one.category === category) &&
      (wanted === '' || `${one.title} ${descriptionOf(one)}`.toLowerCase().includes(wanted)),
  );
}

/** Words of a connector stand in its own file, `messages/connectors/<kind>.json`, by the names that its description uses. */
export const descriptionOf = ({ kind }: Pick<Integration, 'kind'>): string =>
  findText(`integrations.description.${kind}`) ?? t('integrations.description.other');
/** What to do at the service, a step a line. */
export const stepsOf = ({ kind }: Pick<Integration, 'kind'>, isConsent = false): string[] =>
  findText(isConsent ? `integrations.consentSteps.${kind}` : `integrations.steps.${kind}`)?.split('\n') ?? [];
/** What a healthy connection does not prove, of a service that accepts everything; null of the others. */
export const uncheckedOf = ({ kind }: Pick<Integration, 'kind'>): string | null =>
  findText(`integrations.unchecked.${kind}`) ?? null;
/** An example of a value, or where it is found. */
export const fieldHint = ({ label }: Integration['fields'][number]): string | undefined =>
  findText(`integrations.fieldHint.${label}`);
export const featureText = (feature: string): string =>
  findText(`integrations.feature.${feature}`) ?? feature;
export function fieldText({ label, name, isOptional }: Integration['fields'][number]): string {
  const text = findText(`integrations.field.${label}`) ?? name;
  return isOptional ? `${text} (${t('integrations.optional')})` : text;
}

/** What is wrong, in words with the next step; the service's own words behind them. */
export function problemText(problem: ConnectorProblem, detail: string | null): string {
  if (problem === 'plan_full') return t('integrations.problem.plan_full', { n: Number(detail) });
  const text = t(`integrations.problem.${problem}`);
  return detail ? `${text} (${detail})` : text;
}

/** Problems that pass by themselves once a connection is stored; before, the person tries again. */
const passing = ['service_busy', 'service_away', 'response_unreadable'] as const;

/** Why a service was not connected. */
export function connectErrorMessage(error: unknown): string {
  const { code, values } = readFailure(error);
  const word = passing.find((one) => code === 'integration_refused' && one === values['word']);
  return word ? t(`integrations.connectProblem.${word}`) : integrationErrorMessage(error);
}

export const integrationErrorMessage = errorMessageOf({
  integration_refused: ({ word, reason }) => {
    const detail = typeof reason === 'string' && reason !== '' ? reason : null;
    return typeof word === 'string' && word !== ''
      ? problemText(word as ConnectorProblem, detail) // the server sends one of them
      : t('integrations.problem.service_rejected');
  },
  integration_changed: 'integrations.error.changed',
  integration_syncing: 'integrations.error.syncing',
  integration_consent_expired: 'integrations.error.consentExpired',
  integration_not_connected: 'integrations.error.notConnected',
  integration_preview_missing: 'integrations.error.previewMissing',
  integration_mapping_invalid: 'integrations.error.mapping',
});
