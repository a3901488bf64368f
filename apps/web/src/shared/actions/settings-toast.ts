/** For how long the page of settings says that something is saved, as the specification has it. */
export const SETTINGS_TOAST_MS = 3_000;
