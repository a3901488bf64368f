import { errorMessageOf } from '../../../shared/error-message.ts';

/** Why an archive is not taken, looked through, read in or taken back. */
export const archiveImportErrorMessage = errorMessageOf({
  archive_reading_not_found: 'dataManagement.reading.gone',
  archive_reading_gone: 'dataManagement.reading.gone',
  archive_reading_under_way: 'dataManagement.reading.underWay',
  archive_reading_unchecked: 'dataManagement.reading.unchecked',
  archive_reading_not_undoable: 'dataManagement.reading.notUndoable',
  acts_under_way: 'operations.importProblem.file.acts_under_way',
  runs_under_way: 'operations.importProblem.file.runs_under_way',
  data_name_different: 'dataManagement.reading.nameDifferent',
});
