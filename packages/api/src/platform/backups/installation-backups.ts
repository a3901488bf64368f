/** Backups of the whole installation, where the operator has named a place for them. */
export type InstallationBackups = {
  everyHours: number;
  /** So many whole ones stay. */
  keep: number;
  place: 'disk' | 'bucket';
  isEncrypted: boolean;
  /**
   * Puts one under this name when all of it is written, and answers with its size; on any failure nothing is left.
   * @throws {StorageFull}
   */
  take(fileName: string, signal: AbortSignal): Promise<number>;
  /**
   * Reads it from end to end where it lies and, where that is wished and can be done here, restores it into a database of its own and compares each table.
   * Answers with whether it was restored. @throws where it is not as it was written
   */
  verify(
    fileName: string,
    wanted: { bytes: number; restores: boolean; signal: AbortSignal },
  ): Promise<{ isRestored: boolean }>;
  remove(fileName: string): Promise<void>;
};
