/** Which of the actions of a conversation is open. */
export type OpenPart = 'assignee' | 'labels' | 'status' | 'snooze' | 'more' | null;
