import { createContext, use } from 'react';
import type { ReactNode } from 'react';

/** Words that the building blocks need themselves; the app fills them from its message catalogue. */
export interface UiWords {
  close: string;
  cancel: string;
  confirm: string;
  retry: string;
  errorTitle: string;
  loading: string;
  offlineTitle: string;
  offlineText: string;
  search: string;
  clear: string;
  filters: string;
  remove: (item: string) => string;
  noMatches: string;
  rowActions: string;
  actionsFor: (row: string) => string;
  selectRow: string;
  selectAll: string;
  selected: (n: number) => string;
  clearSelection: string;
  sortBy: (column: string) => string;
  copy: string;
  copied: string;
  showPassword: string;
  hidePassword: string;
  required: string;
  formErrors: (n: number) => string;
  chooseFile: string;
  dropFile: string;
  notifications: string;
  doneOf: (done: string, total: string) => string;
  finishIn: (duration: string) => string;
  more: (n: number) => string;
  step: (n: number, total: number) => string;
  showTable: string;
  showChart: string;
  downloadCsv: string;
  downloadPng: string;
  chartActions: string;
  noData: string;
  moreActions: string;
  number: (value: number) => string;
  duration: (seconds: number) => string;
}

const WordsContext = createContext<UiWords | undefined>(undefined);

export function UiWordsProvider({ words, children }: { words: UiWords; children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useUiWords(): UiWords {
  const words = use(WordsContext);
  if (!words) throw new Error('useUiWords must be used within a UiWordsProvider');
  return words;
}
