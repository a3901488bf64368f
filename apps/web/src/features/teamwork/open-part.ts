/** Which of the actions of a conversation is open. */
export type OpenPart = 'assignee' | 'labels' | 'status' | 'priority' | 'snooze' | 'more' | null;
