import type { FlowFile, Json } from '@app/domain/flows/flow-file';
import { contactValueNames, pathName, workspaceValueNames } from '@app/domain/flows/flow-values';
import { findStepType } from '@app/domain/flows/step-types';
import { findTriggerType } from '@app/domain/flows/trigger-types';
import type { CustomField } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { stepName, valueName } from '../flow-words.ts';
import { stepsInOrder } from './step-tree.ts';
import type { FlowValue } from './value-menu.tsx';

/** The values that the texts of a step may hold: of the contact, the triggers, the other steps and the business. */
export function valuesFor(
  flow: FlowFile,
  own: string | null,
  { fields, samples }: { fields: readonly Pick<CustomField, 'key' | 'label'>[]; samples: readonly Json[] },
): FlowValue[] {
  const ordered = stepsInOrder(flow);
  const titles = new Map(
    ordered.map(({ id, type }, index) => [
      id,
      t('automation.stepTitle', { n: index + 1, name: stepName(type) }),
    ]),
  );
  const ofTriggers = flow.triggers
    .flatMap(({ type, config }) => findTriggerType(type)?.values(config) ?? [])
    .flatMap((name) => (name === 'body.*' ? samples.flatMap((sample) => leavesOf(sample, 'body')) : [name]));
  const ofSteps = ordered
    .filter(({ id }) => id !== own)
    .flatMap(({ id, type, config }) =>
      (findStepType(type)?.values(config) ?? []).map((name) => `steps.${id}.${name}`),
    );
  const named = (path: string): FlowValue => ({ path, label: valueName(path, titles) });
  return [
    ...contactValueNames.map((name) => named(`contact.${name}`)),
    ...fields.map(({ key, label }) => ({
      path: `contact.fields.${key}`,
      label: t('automation.value', { source: t('automation.source.contact'), name: label }),
    })),
    ...[...new Set(ofTriggers)].map((name) => named(`trigger.${name}`)),
    ...ofSteps.map(named),
    ...workspaceValueNames.map((name) => named(`workspace.${name}`)),
  ];
}

const MOST_LEAVES = 40;

/** The paths of the values in a body that was sent, as texts name them. */
function leavesOf(value: Json, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value)
    .flatMap(([key, inner]) => {
      const name = pathName(key);
      return name === '' ? [] : leavesOf(inner as Json, `${path}.${name}`);
    })
    .slice(0, MOST_LEAVES);
}
