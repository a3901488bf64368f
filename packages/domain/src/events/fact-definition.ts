import type { ActivityType } from '../activity/activity-rules.ts';
import type { LiveTopic } from '../live/live-topics.ts';
import type { FactShape } from './fact-values.ts';

/** What facts are about. */
export const subjectKinds = [
  ...['contact', 'custom-field', 'segment', 'contact-import', 'contact-removal', 'contact-merge'],
  ...['template', 'campaign', 'media', 'channel', 'user', 'workspace', 'conversation', 'message'],
  ...['invitation', 'team', 'long-act', 'api-key', 'quick-reply', 'workflow', 'webhook-endpoint'],
  'integration',
  'rcs-message',
  'report-link',
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** One kind of fact: everything that follows from it stands here, and nowhere else. */
export type FactDefinition<Shape extends FactShape = FactShape> = {
  /** One more whenever `values` changes in a way that a reader of older rows would notice. */
  version: number;
  subject: SubjectKind;
  /** Ids and values, never a sentence and never a secret. `otherIds` are more subjects of the kind, which the fact is about too. */
  values: Shape;
  /** Values that tell who a person is: they go when the subject is erased. */
  personal?: readonly string[];
  /** Values that the entry of the log leaves out: who reads the log may not see every value of a contact. */
  notInLog?: readonly string[];
  /** Values that are lists of subjects of a kind, beside the one that it is about: whoever is erased is taken out of them. */
  lists?: { kind: SubjectKind; values: readonly string[] };
  /** The value that lists what it is about, where that is many: the entry of the log is found by each. */
  subjects?: string;
  /** Entry of the audit log, or null for what nobody reads there. */
  audit: { type: ActivityType; resource: string } | null;
  /** What open browsers are told. */
  live: readonly LiveSign[];
  /** Whether outgoing webhooks may carry it. */
  forWebhooks: boolean;
};

export type LiveSign = {
  topic: LiveTopic;
  /** Ids and figures alone; without it the topic goes out bare. */
  payload?: (fact: { subject: string | null; values: Record<string, unknown> }) => Record<string, unknown>;
};

type Audit = FactDefinition['audit'];

/** Lets the compiler infer the shape of one definition, and whether it stands in the audit log. */
export function defineFact<const Shape extends FactShape, const Kept extends Audit>(
  definition: FactDefinition<Shape> & { audit: Kept },
): FactDefinition<Shape> & { audit: Kept } {
  return definition;
}
