/** Errors of archives, restoring and clearing, see `errorTable`. */
export const dataManagementErrors = {
  sample_gone: { status: 409, message: 'This is no sample workspace any more.' },
  data_name_different: {
    status: 422,
    message: 'Type the name of the business as it stands in the settings.',
  },
  archive_not_found: { status: 404, message: 'There is no such archive, or its time is over.' },
  archive_under_way: { status: 409, message: 'An archive is being written. Please wait until it is ready.' },
  too_many_archives: {
    status: 409,
    message: 'There are as many archives as may lie ready. Delete one first.',
  },
  archive_refused: { status: 422, message: 'This file cannot be read in.' },
  archive_reading_not_found: { status: 404, message: 'There is no such archive, or its time is over.' },
  archive_reading_gone: { status: 410, message: 'The file is no longer kept. Please send it again.' },
  archive_reading_under_way: { status: 409, message: 'An archive is being read. Please wait.' },
  archive_reading_unchecked: { status: 409, message: 'Have the archive looked through first.' },
  archive_reading_not_undoable: { status: 409, message: 'What was here before is gone, or back already.' },
  acts_under_way: {
    status: 409,
    message: 'Contacts or data are being imported, deleted or restored. Please wait until that is over.',
  },
  runs_under_way: { status: 409, message: 'A campaign is being sent. Pause it, or wait for its end.' },
} as const;
