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
  /** Reads it from end to end where it lies. @throws where it is not as it was written */
  verify(fileName: string, bytes: number): Promise<void>;
  remove(fileName: string): Promise<void>;
};
