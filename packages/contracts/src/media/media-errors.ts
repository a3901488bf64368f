/** Errors of files and uploads, see `errorTable`. */
export const mediaErrors = {
  media_not_found: { status: 404, message: 'There is no such file.' },
  media_in_use: { status: 409, message: 'A template or a quick reply uses this file.' },
  media_too_large: { status: 413, message: 'The file is too large.' },
  media_type_unsupported: { status: 415, message: 'File type not supported' },
  picture_too_small: { status: 422, message: 'The picture has too few pixels for the platform.' },
  picture_too_large: { status: 422, message: 'The picture has too many pixels.' },
  upload_not_found: { status: 404, message: 'There is no such upload, or it has expired.' },
  upload_offset_wrong: { status: 409, message: 'The upload continues at another offset.' },
} as const;
