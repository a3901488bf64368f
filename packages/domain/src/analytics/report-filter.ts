/** What can be counted of a message. `unread` was delivered and not read, `undelivered` was sent and neither delivered nor failed. */
export const reportMetrics = [
  'sent',
  'delivered',
  'read',
  'failed',
  'replied',
  'unread',
  'undelivered',
] as const;
export type ReportMetric = (typeof reportMetrics)[number];

/** Which messages a report counts; each part that is there must hold. */
export type MessageFilter = {
  campaignId?: string | undefined;
  templateId?: string | undefined;
  /** The sender. */
  channelId?: string | undefined;
  /** A kind of channel. */
  channel?: string | undefined;
  /** Of contacts whose number is of this country (ISO 3166). */
  country?: string | undefined;
  /** Messages that this member wrote. */
  agentId?: string | undefined;
  /** Messages that members of this team wrote. */
  teamId?: string | undefined;
};

/** Days of a calendar, both of them counted, in a time zone. */
export type ReportPeriod = { from: string; to: string; zone: string };
