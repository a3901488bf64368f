import { createContext, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';

/** Saves one thing and says by itself why it could not; true when it is saved. */
type Save = () => Promise<boolean>;

/** What is written on the part that is shown and not saved yet: whoever holds it tells how it is saved. */
class Unsaved {
  readonly #saves = new Set<Save>();
  readonly #listeners = new Set<() => void>();

  add(save: Save): () => void {
    this.#saves.add(save);
    this.#tell();
    return () => {
      this.#saves.delete(save);
      this.#tell();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly count = (): number => this.#saves.size;

  async saveAll(): Promise<boolean> {
    const saved = await Promise.all([...this.#saves].map((save) => save()));
    return saved.every(Boolean);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const Here = createContext<Unsaved | undefined>(undefined);

/** Save Settings does the same as the button beside the value: it calls `save` while there is something to save. */
export function useSavedHere(isUnsaved: boolean, save: Save): void {
  const here = use(Here);
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => (isUnsaved ? here?.add(() => latest.current()) : undefined), [here, isUnsaved]);
}

/** A part of the tab above its Save Settings. */
export function SavedTogether({ maySave, children }: { maySave: boolean; children: ReactNode }) {
  const [here] = useState(() => new Unsaved());
  return (
    <Here value={here}>
      {children}
      {maySave ? <SaveSettings here={here} /> : null}
    </Here>
  );
}

function SaveSettings({ here }: { here: Unsaved }) {
  const hasUnsaved = useSyncExternalStore(here.subscribe, here.count) > 0;
  const [isSaving, setSaving] = useState(false);

  async function save() {
    setSaving(true);
    const isSaved = await here.saveAll().finally(() => setSaving(false));
    if (isSaved) notify.success(t('settings.saved'), { duration: SETTINGS_TOAST_MS });
  }

  return (
    <SaveBar>
      <p className="min-w-0 flex-1 basis-40 text-sm text-muted">
        {t(hasUnsaved ? 'settings.unsaved' : 'connection.allSaved')}
      </p>
      <Button disabled={!hasUnsaved} loading={isSaving} onClick={() => void save()}>
        {t('settings.save')}
      </Button>
    </SaveBar>
  );
}
