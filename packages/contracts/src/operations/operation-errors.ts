/** Errors of operations, see `errorTable`. */
export const operationErrors = {
  operation_not_found: { status: 404, message: 'There is no such operation.' },
  operation_not_cancellable: { status: 409, message: 'This operation cannot be cancelled.' },
  operation_file_gone: { status: 410, message: 'The file is no longer stored. Please request it again.' },
} as const;
