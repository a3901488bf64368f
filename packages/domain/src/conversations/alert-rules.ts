export const alertChoices = ['all', 'mine', 'mentions', 'off'] as const;
/** Of what somebody wants to hear a sound: every message, those of conversations in their hands or in nobody's, or mentions alone. */
export type AlertChoice = (typeof alertChoices)[number];

export type Arrived =
  | { kind: 'mention' }
  | {
      kind: 'message';
      isMuted: boolean;
      assigneeId: string | null;
      /** It stands on a screen that somebody looks at. */
      isLookedAt: boolean;
    };

/** Whether it is worth a sound, or a word of the browser, to this person. */
export function isWorthAlert(choice: AlertChoice, arrived: Arrived, ownId: string): boolean {
  if (choice === 'off') return false;
  if (arrived.kind === 'mention') return true;
  if (choice === 'mentions' || arrived.isMuted || arrived.isLookedAt) return false;
  return choice === 'all' || arrived.assigneeId === null || arrived.assigneeId === ownId;
}
