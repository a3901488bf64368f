import type { RecipientOutcome } from '../campaigns/recipient-outcome.ts';
import type { SegmentRules } from '../segments/segment-rules.ts';

/**
 * Whom people choose for a campaign: people picked one by one, everybody who matches a filter but for some, or several of these
 * together. However often somebody is named, they are one recipient.
 */
type ChosenOf<Filter, Except> = (
  | { contactIds: readonly string[] }
  | { filter: Filter; excludedIds?: readonly string[] | undefined }
  | {
      anyOf: readonly Filter[];
      contactIds?: readonly string[] | undefined;
      excludedIds?: readonly string[] | undefined;
    }
) &
  LeftOut<Except>;

/** The longest time that people can be left alone after a campaign. */
export const mostRestDays = 365;

/** Who is not meant whatever else names them. */
type LeftOut<Except> = {
  /** Everybody whom one of these names. */
  except?: readonly Except[] | undefined;
  /** Who got a campaign within so many days, or is about to. */
  restDays?: number | undefined;
};

/** Recipients of that campaign whose message failed and whom no retry has tried since. Only the product makes it, for a retry. */
type Failed = { failedOf: string };

/** Who gets a campaign. Whom the tried one leaves out its retry leaves out, too. */
export type Audience = ChosenOf<AudienceFilter, AudienceFilter> | (Failed & LeftOut<AudienceFilter>);

/** As people plan it: a segment is named, and becomes its rules when somebody is counted or sending starts. */
export type ChosenAudience = ChosenOf<PlannedFilter, PlannedExcept>;

export type PlannedAudience = ChosenAudience | Failed;

export type AudienceFilter = {
  /** Part of name, phone or e-mail address, upper and lower case alike. */
  search?: string | undefined;
  /** Contacts with at least one of these. */
  tags?: readonly string[] | undefined;
  status?: 'active' | 'blocked' | undefined;
  /** Whose language it is, with all of its regions unless one is named; `none` for people of whom nobody said it. */
  language?: string | undefined;
  /** Whom this import added, or found here. */
  importId?: string | undefined;
  /** Recipients of this campaign; of this outcome alone, and of those for this reason alone: a code, or `NO_REASON`. */
  campaignId?: string | undefined;
  outcome?: RecipientOutcome | undefined;
  reason?: string | undefined;
  /** The people behind a number of a report, as `writeReportPeople` says it. */
  report?: string | undefined;
  /** Who meets these, as the rules of a segment say it. */
  rules?: SegmentRules | undefined;
  /** Never here: whoever is looked for must not depend on a name that may be gone. See `PlannedFilter`. */
  segmentId?: undefined;
};

export type PlannedFilter = AudienceFilter | { segmentId: string };

/** What people leave out: everybody with one of these tags, or a segment. */
export type PlannedExcept =
  | { tags: readonly string[]; segmentId?: undefined }
  | { segmentId: string; tags?: undefined };

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
