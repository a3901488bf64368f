import type { SegmentRules } from '../contacts/segment-rules.ts';

/**
 * Who gets a campaign: people picked one by one, everybody who matches a filter but for some, or several of these
 * together. However often somebody is named, they are one recipient.
 */
export type Audience =
  | { contactIds: readonly string[] }
  | { filter: AudienceFilter; excludedIds?: readonly string[] | undefined }
  | {
      anyOf: readonly AudienceFilter[];
      contactIds?: readonly string[] | undefined;
      excludedIds?: readonly string[] | undefined;
    }
  /** Recipients of that campaign whose message failed. */
  | { failedOf: string };

export type AudienceFilter = {
  /** Part of name, phone or e-mail address, upper and lower case alike. */
  search?: string | undefined;
  /** Contacts with at least one of these. */
  tags?: readonly string[] | undefined;
  status?: 'active' | 'blocked' | undefined;
  /** The rules of a segment, as they were when it was chosen. */
  rules?: SegmentRules | undefined;
};

/**
 * What a message is for. It decides who may get it: `marketing` leaves out people who opted out, `service` (free text)
 * leaves out everybody whose 24-hour window is closed.
 */
export type MessageCategory = 'marketing' | 'utility' | 'service';

/** How an audience divides; each chosen person is counted once, under the first reason that applies. */
export type AudiencePreview = {
  chosen: number;
  receiving: number;
  blocked: number;
  optedOut: number;
  withoutNumber: number;
  windowClosed: number;
  /** Held back for a while at the platform's wish. */
  held: number;
  /** Chosen more than once; not part of `chosen`. */
  doubled: number;
};
