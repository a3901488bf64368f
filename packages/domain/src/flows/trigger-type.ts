import type { FieldDefinition } from './field.ts';
import type { FlowConfig, FlowKind, Json } from './flow-file.ts';

/** What a flow begins with, waits for or aims at. */
export type TriggerType = {
  /** For ever: flows are stored with it. */
  type: string;
  kinds: readonly FlowKind[];
  fields: readonly FieldDefinition[];
  /** The names under which steps find what it brings, as `{{trigger.<name>}}`. */
  values(config: FlowConfig): readonly string[];
  /** False where its runs have no contact. Without it every run has one. */
  bringsContact?(config: FlowConfig): boolean;
  /** False where somebody chooses who enters, so that no conditions are looked at. */
  takesConditions?: false;
  /** Whether steps may also wait for it, and flows aim at it. */
  isAwaitable: boolean;
  /** Judged from the event alone; conditions on the contact are asked when the run starts. */
  matches(config: FlowConfig, values: { readonly [name: string]: Json }): boolean;
};
