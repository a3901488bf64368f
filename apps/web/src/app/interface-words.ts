import { formatDuration, formatNumber } from '../shared/formats.ts';
import { t } from '../shared/messages.ts';
import { offlineSearchText } from '../shared/offline/offline-search-text.ts';
import type { UiWords } from '../ui/ui-words.tsx';

/** The building blocks' own words in the active language. */
export function interfaceWords(): UiWords {
  return {
    close: t('ui.close'),
    cancel: t('ui.cancel'),
    confirm: t('ui.confirm'),
    retry: t('ui.retry'),
    errorTitle: t('ui.errorTitle'),
    loading: t('ui.loading'),
    offlineTitle: t('ui.offlineTitle'),
    offlineText: t('ui.offlineText'),
    search: t('ui.search'),
    clear: t('ui.clear'),
    filters: t('ui.filters'),
    remove: (item) => t('ui.remove', { item }),
    noMatches: t('ui.noMatches'),
    searchedHere: offlineSearchText,
    rowActions: t('ui.rowActions'),
    actionsFor: (row) => t('ui.actionsFor', { row }),
    selectRow: t('ui.selectRow'),
    selectAll: t('ui.selectAll'),
    selected: (n) => t('ui.selected', { n }),
    clearSelection: t('ui.clearSelection'),
    sortBy: (column) => t('ui.sortBy', { column }),
    copy: t('ui.copy'),
    copied: t('ui.copied'),
    showPassword: t('ui.showPassword'),
    hidePassword: t('ui.hidePassword'),
    required: t('ui.required'),
    formErrors: (n) => t('ui.formErrors', { n }),
    chooseFile: t('ui.chooseFile'),
    dropFile: t('ui.dropFile'),
    notifications: t('ui.notifications'),
    doneOf: (done, total) => t('ui.of', { done, total }),
    finishIn: (duration) => t('ui.finishIn', { duration }),
    more: (n) => t('ui.more', { n }),
    step: (n, total) => t('ui.step', { n, total }),
    showTable: t('ui.showTable'),
    showChart: t('ui.showChart'),
    downloadCsv: t('ui.downloadCsv'),
    downloadPng: t('ui.downloadPng'),
    chartActions: t('ui.chartActions'),
    noData: t('ui.noData'),
    moreActions: t('ui.moreActions'),
    number: formatNumber,
    duration: formatDuration,
  };
}
