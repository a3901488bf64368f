import type { RunVariable } from '@app/domain/delivery/run-message';
import { wellKnownSamples } from '@app/domain/templates/template-content';
import { sampleValues } from '@app/domain/templates/template-rendering';
import type { TemplateComponent } from '@app/domain/templates/template';
import { sourceOf, type KnownFields, type MessageDraft } from './message-draft.ts';

type Known = {
  names: readonly string[];
  variables: MessageDraft['variables'];
  fields: KnownFields;
  /** The name of the business; undefined until it is known. */
  business: string | undefined;
};

/** What is the same for everybody: fixed texts and the name of the business. */
export function sharedValues({ names, variables, fields, business }: Known): Record<string, string> {
  return filled(names, (name) => {
    const source = sourceOf(name, variables, fields);
    if (source === null) return undefined;
    if ('text' in source) return source.text;
    return isBusiness(source) ? business : undefined;
  });
}

/** The same, and for each value of a person a sample: that of the author of the template, else a usual one. */
export function exampleValues(
  known: Known,
  components: readonly TemplateComponent[],
): Record<string, string> {
  const ofAuthor = sampleValues(components);
  const samples = filled(known.names, (name) => {
    const source = sourceOf(name, known.variables, known.fields);
    const usual = source && 'field' in source ? wellKnownSamples[source.field] : undefined;
    return (Object.hasOwn(ofAuthor, name) && ofAuthor[name]) || usual;
  });
  return { ...samples, ...sharedValues(known) };
}

function isBusiness(source: RunVariable): boolean {
  return 'field' in source && source.field === 'business';
}

function filled(
  names: readonly string[],
  valueOf: (name: string) => string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name);
      return value ? [[name, value]] : [];
    }),
  );
}
