/** How conversions are attributed, and whether links are counted. */
export type ConversionSettings = {
  /** Days after a click within which a conversion belongs to it. */
  windowDays: number;
  countsLinks: boolean;
};

export const conversionLimits = {
  windowDays: { least: 1, usual: 7, most: 90 },
  name: 100,
  externalId: 200,
  /** Of one conversion, in units of its currency. */
  value: 1_000_000_000,
  /** A conversion may be reported so long after it happened. */
  latenessDays: 90,
} as const;

export const usualConversionSettings: ConversionSettings = {
  windowDays: conversionLimits.windowDays.usual,
  countsLinks: true,
};

export const conversionSources = ['api', 'shop'] as const;
export type ConversionSource = (typeof conversionSources)[number];
