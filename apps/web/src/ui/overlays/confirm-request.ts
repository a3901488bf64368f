/** A line of what somebody decides by. */
export interface ConfirmFact {
  label: string;
  value: string;
}

export interface ConfirmObstacle {
  text: string;
  /** What mends it; the question closes with it. */
  step?: { label: string; onSelect: () => void } | undefined;
}

/** A box in the question, off until somebody sets it. */
export interface ConfirmOption {
  label: string;
  /** Nothing can be said yes to without it. */
  isNeeded?: boolean;
  onChange: (isOn: boolean) => void;
}

export interface ConfirmRequest {
  /** The question, such as 'Are you sure you want to delete this contact?'. */
  title: string;
  text?: string | undefined;
  /** Why the answer cannot be yes now, with the next step in its place. */
  obstacle?: ConfirmObstacle | undefined;
  /** What somebody should know before they say yes, each a line. */
  warnings?: readonly string[] | undefined;
  option?: ConfirmOption | undefined;
  /** Figures that belong to the question. */
  facts?: readonly ConfirmFact[] | undefined;
  confirmLabel?: string | undefined;
  cancelLabel?: string | undefined;
  /** Red unless switched off. */
  danger?: boolean | undefined;
  /** Runs while the dialog stays open with a spinner; it must handle its own failure. */
  work?: (() => Promise<unknown>) | undefined;
}
