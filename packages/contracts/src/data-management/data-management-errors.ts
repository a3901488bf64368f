/** Errors of archives, restoring and clearing, see `errorTable`. */
export const dataManagementErrors = {
  sample_gone: { status: 409, message: 'This is no longer a sample workspace.' },
  imports_undecided: {
    status: 409,
    message: 'Contacts were imported into the sample. Decide for each import whether its contacts are kept.',
  },
  data_name_different: {
    status: 422,
    message: 'Type the name of the business exactly as in the settings.',
  },
  archive_not_found: { status: 404, message: 'There is no such archive, or it has expired.' },
  archive_under_way: { status: 409, message: 'An archive is being written. Please wait until it is ready.' },
  too_many_archives: {
    status: 409,
    message: 'The limit of archives is reached. Delete one first.',
  },
  archive_refused: { status: 422, message: 'This file cannot be imported.' },
  archive_reading_not_found: { status: 404, message: 'There is no such archive, or it has expired.' },
  archive_reading_gone: { status: 410, message: 'The file is no longer stored. Please upload it again.' },
  archive_reading_under_way: { status: 409, message: 'An archive is being read. Please wait.' },
  archive_reading_unchecked: { status: 409, message: 'Check the archive first.' },
  archive_reading_not_undoable: {
    status: 409,
    message: 'The previous data has been deleted or is already restored.',
  },
  acts_under_way: {
    status: 409,
    message: 'Contacts or data are being imported, deleted or restored. Please wait until this is done.',
  },
  runs_under_way: {
    status: 409,
    message: 'A campaign is being sent. Pause it or wait until it is complete.',
  },
} as const;
