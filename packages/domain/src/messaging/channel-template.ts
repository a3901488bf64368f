import type { MediaSource } from './message-content.ts';

/** A template as people write it here, with named variables such as `{{first_name}}`. */
export type ChannelTemplateDraft = {
  name: string;
  language: string;
  category: TemplateCategory;
  header?: TemplateHeaderDraft;
  body: string;
  footer?: string;
  buttons?: readonly TemplateButtonDraft[];
  /** One sample value per variable, which the reviewers of the channel see. */
  samples?: Readonly<Record<string, string>>;
};

export type TemplateCategory = 'marketing' | 'utility' | 'authentication';

export type TemplateHeaderDraft =
  | { format: 'text'; text: string }
  /** `sampleHandle` comes from a resumable upload; needed to submit, not to send. */
  | { format: 'image' | 'video' | 'document'; sampleHandle?: string }
  | { format: 'location' };

export type TemplateButtonDraft =
  | { type: 'quick_reply'; text: string }
  | { type: 'url'; text: string; url: string }
  | { type: 'phone_number'; text: string; phoneNumber: string };

/** What fills a template for one recipient. */
export type TemplateFilling = {
  /** By the variable names of the draft. */
  values: Readonly<Record<string, string>>;
  headerMedia?: MediaSource;
  headerFilename?: string;
  headerLocation?: { latitude: number; longitude: number; name?: string; address?: string };
  /** Payloads of quick replies by the button's place in the draft; the label is used otherwise. */
  payloads?: Readonly<Record<number, string>>;
};

/** A template as the channel holds it. */
export type ChannelTemplate = {
  id: string;
  name: string;
  language: string;
  /** The vendor's word in upper case, for example `APPROVED`. */
  status: string;
  category: string;
  quality: string | null;
  rejectedReason: string | null;
  parameterFormat: 'positional' | 'named';
  header:
    | { format: 'text'; text: string }
    | { format: 'image' | 'video' | 'document' | 'location' | 'other' }
    | null;
  body: string;
  footer: string | null;
  buttons: readonly (TemplateButtonDraft | { type: 'other'; vendorType: string; text: string })[];
};
