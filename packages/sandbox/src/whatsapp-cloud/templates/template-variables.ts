import { objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';

/** Names or numbers inside `{{…}}`, in order, each once. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g)].map((match) => match[1] ?? ''))];
}

export function findComponent(components: readonly JsonObject[], type: string): JsonObject | undefined {
  return components.find((component) => textOf(component['type'])?.toUpperCase() === type);
}

export function buttonsOf(components: readonly JsonObject[]): JsonObject[] {
  return objectsOf(findComponent(components, 'BUTTONS')?.['buttons']);
}

/** Text with its variables filled from the parameters of a send. */
export function fillText(text: string, parameters: readonly JsonObject[]): string {
  return text.replace(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g, (placeholder, name: string) => {
    const parameter =
      parameters.find((candidate) => textOf(candidate['parameter_name']) === name) ??
      parameters[Number(name) - 1];
    return parameter ? parameterText(parameter) : placeholder;
  });
}

export function parameterText(parameter: JsonObject): string {
  const type = textOf(parameter['type']) ?? 'text';
  if (type === 'currency' || type === 'date_time')
    return textOf(objectOf(parameter[type])['fallback_value']) ?? '';
  return textOf(parameter[type]) ?? textOf(parameter['text']) ?? '';
}
