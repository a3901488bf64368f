import type { FlowConfig, FlowStep, Json } from './flow-file.ts';
import { fillValues, type FlowValues, type ValueEscape } from './flow-values.ts';
import { findStepType } from './step-types.ts';

/** The configuration of a step with the values in its texts; fields that take none stay as they are written. */
export function fillConfig({ type, config }: FlowStep, values: FlowValues): FlowConfig {
  const filled: Record<string, Json> = { ...config };
  for (const { name, takesValues, escape } of findStepType(type)?.fields ?? [])
    if (takesValues && filled[name] !== undefined) filled[name] = fillTexts(filled[name], values, escape);
  return filled;
}

function fillTexts(value: Json, values: FlowValues, escape?: ValueEscape): Json {
  if (typeof value === 'string') return fillValues(value, values, escape);
  if (Array.isArray(value)) return value.map((item: Json) => fillTexts(item, values, escape));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillTexts(item, values, escape)]),
  );
}
