/** Errors of files and uploads, see `errorTable`. */
export const mediaErrors = {
  media_not_found: { status: 404, message: 'There is no such file.' },
  media_in_use: { status: 409, message: 'A template shows this file.' },
  media_too_large: { status: 413, message: 'The file is larger than its purpose allows.' },
  media_type_unsupported: { status: 415, message: 'File type not supported' },
  picture_too_small: { status: 422, message: 'The picture has fewer pixels than the platform shows.' },
  picture_too_large: { status: 422, message: 'The picture has more pixels than any telephone shows.' },
  upload_not_found: { status: 404, message: 'There is no such upload, or it was given up.' },
  upload_offset_wrong: { status: 409, message: 'The upload goes on at another place.' },
} as const;
