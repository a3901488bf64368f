/** Errors of bulk messages, see `errorTable`. */
export const bulkMessageErrors = {
  bulk_message_no_contacts: { status: 422, message: 'No contacts selected.' },
  bulk_message_no_content: { status: 422, message: 'No message content provided.' },
} as const;
