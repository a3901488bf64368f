import { alertChoices, type AlertChoice } from '@app/domain/conversations/alert-rules';
import { useSyncExternalStore } from 'react';

export interface AlertSettings {
  sound: AlertChoice;
  /** Words of the browser itself, where it was allowed to. */
  isDesktop: boolean;
}

const KEY = 'inbox.alerts';
const defaults: AlertSettings = { sound: 'mine', isDesktop: false };
const listeners = new Set<() => void>();
let current = read();

/** Of this browser, because a desk and a telephone are not equally loud. */
export function useAlertSettings(): AlertSettings {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export function chooseAlerts(part: Partial<AlertSettings>): void {
  current = { ...current, ...part };
  localStorage.setItem(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

function read(): AlertSettings {
  try {
    const { sound, isDesktop } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<AlertSettings>;
    return {
      sound: alertChoices.find((choice) => choice === sound) ?? defaults.sound,
      isDesktop: isDesktop === true,
    };
  } catch {
    return defaults;
  }
}
