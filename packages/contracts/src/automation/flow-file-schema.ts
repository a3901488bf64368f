import {
  durationUnits,
  FLOW_ID,
  FLOW_FORMAT_VERSION,
  flowKinds,
  flowLimits,
  reentryModes,
  type FlowFile,
  type Json,
} from '@app/domain/flows/flow-file';
import { z } from 'zod';

const json: z.ZodType<Json> = z.json();
const flowId = z.string().regex(FLOW_ID, 'An id has letters, digits, - and _, and at most 40 of them.');
/** By the names of the fields of its type; what is missing or wrong there is a problem of the draft, and no error. */
const config = z.record(z.string().max(100), json);

const trigger = z.strictObject({
  id: flowId,
  type: z.string().min(1).max(60),
  config: config.default({}),
  /** Rules of the segment builder that the contact must meet; null for none. */
  conditions: json.default(null),
});

const step = z.strictObject({
  id: flowId,
  type: z.string().min(1).max(60),
  config: config.default({}),
  delay: z
    .strictObject({ amount: z.number().int().min(0).max(31_622_400), unit: z.enum(durationUnits) })
    .nullable()
    .default(null),
  /** The next step by the name of the exit; an exit that is missing or null ends the run. */
  next: z.record(z.string().max(60), flowId.nullable()).default({}),
});

export const flowSettings = z.strictObject({
  reentry: z.enum(reentryModes).default('always'),
  goal: z
    .strictObject({ type: z.string().min(1).max(60), config: config.default({}) })
    .nullable()
    .default(null),
  runsPerMinute: z.number().int().min(1).max(100_000).nullable().default(null),
});

/** The parts of a flow file, as an object that requests add to. */
export const flowFileParts = {
  format: z.literal('flow').default('flow'),
  formatVersion: z
    .number()
    .int()
    .min(1)
    .max(
      FLOW_FORMAT_VERSION,
      `This flow file is of a newer version of the product; this one reads format version ${FLOW_FORMAT_VERSION}.`,
    )
    .default(FLOW_FORMAT_VERSION),
  kind: z.enum(flowKinds).default('workflow'),
  name: z.string().trim().min(1).max(flowLimits.name),
  description: z.string().trim().max(flowLimits.description).default(''),
  triggers: z.array(trigger).max(flowLimits.triggers).readonly().default([]),
  start: flowId.nullable().default(null),
  steps: z.array(step).max(flowLimits.steps).readonly().default([]),
  settings: flowSettings.prefault({}),
  layout: z.record(flowId, z.strictObject({ x: z.number(), y: z.number() })).default({}),
};

export const flowFile = z.strictObject(flowFileParts) satisfies z.ZodType<FlowFile>;
