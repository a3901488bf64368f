/** As what the results of a campaign leave as a file. */
export const resultsFormats = ['csv', 'xlsx'] as const;
export type ResultsFormat = (typeof resultsFormats)[number];
