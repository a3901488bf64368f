/** Errors of operations, see `errorTable`. */
export const operationErrors = {
  operation_not_found: { status: 404, message: 'There is no such act.' },
  operation_not_cancellable: { status: 409, message: 'This cannot be stopped half-way.' },
  operation_file_gone: { status: 410, message: 'The file is no longer kept. Please ask for it again.' },
} as const;
