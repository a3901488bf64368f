/** What is wrong with a file, or with where it is to go, as a word; whoever shows it has the sentence. */
export type BackupFault =
  /** It is no file of this product. */
  | 'foreign'
  /** A later version of the product wrote it. */
  | 'newer'
  /** An unreleased version of the product wrote it. */
  | 'unreleased'
  /** It ends too early. */
  | 'truncated'
  /** Its bytes are not those that were written. */
  | 'damaged'
  | 'passphrase_missing'
  | 'passphrase_wrong'
  /** A whole installation where one workspace belongs, or the other way round. */
  | 'other_kind';

/** Thrown before anything is changed. */
export class BackupError extends Error {
  override name = 'BackupError';
  readonly fault: BackupFault;
  constructor(fault: BackupFault) {
    super(`The backup cannot be used: ${fault}`);
    this.fault = fault;
  }
}
