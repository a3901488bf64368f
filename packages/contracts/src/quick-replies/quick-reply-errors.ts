/** What the API refuses of quick replies; a part of the one table of errors. */
export const quickReplyErrors = {
  quick_reply_not_found: { status: 404, message: 'There is no such quick reply.' },
  quick_reply_taken: { status: 409, message: 'A quick reply with this shortcut already exists.' },
  quick_reply_shared: {
    status: 403,
    message: 'Shared quick replies can only be changed by users who may manage messages.',
  },
  quick_reply_changed: { status: 409, message: 'Someone else changed this quick reply in the meantime.' },
  quick_reply_limit: { status: 409, message: 'The limit of quick replies is reached.' },
} as const;
