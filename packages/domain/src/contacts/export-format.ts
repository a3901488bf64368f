/** As what contacts leave as a file; the import reads each back. */
export const exportFormats = ['json', 'csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];
