import { importPreferences, type ImportPreference } from '@app/domain/data-management/data-import';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';

const importModes = ['merge', 'replace'] as const;
export type ImportMode = (typeof importModes)[number];

interface ImportChoicesProps {
  mode: ImportMode;
  prefers: ImportPreference;
  onMode: (mode: ImportMode) => void;
  onPrefers: (prefers: ImportPreference) => void;
}

/** Whether the file comes beside what is here or in its place, and what wins where both say something. */
export function ImportChoices({ mode, prefers, onMode, onPrefers }: ImportChoicesProps) {
  const mayReplace = operationKinds['data-replacement'].access.every(can);
  return (
    <>
      <FieldGroup
        legend={t('dataManagement.import.mode')}
        hint={mayReplace ? undefined : t('dataManagement.import.mode.mayNot')}
      >
        {importModes.map((one) => (
          <Radio
            key={one}
            name="mode"
            label={t(`dataManagement.import.mode.${one}`)}
            hint={t(`dataManagement.import.mode.${one}Hint`)}
            checked={mode === one}
            disabled={one === 'replace' && !mayReplace}
            onChange={() => onMode(one)}
          />
        ))}
      </FieldGroup>
      {mode === 'merge' ? (
        <FieldGroup legend={t('dataManagement.import.prefers')} hint={t('dataManagement.import.rules')}>
          {importPreferences.map((one) => (
            <Radio
              key={one}
              name="prefers"
              label={t(`dataManagement.import.prefers.${one}`)}
              hint={t(`dataManagement.import.prefers.${one}Hint`)}
              checked={prefers === one}
              onChange={() => onPrefers(one)}
            />
          ))}
        </FieldGroup>
      ) : (
        <ReplaceRules />
      )}
    </>
  );
}

/** What holds whenever a file takes the place of what is here. */
export function ReplaceRules() {
  return (
    <ul className="list-disc ps-5 text-muted">
      {(['lost', 'stays', 'sent'] as const).map((rule) => (
        <li key={rule}>{t(`dataManagement.import.replaceRules.${rule}`)}</li>
      ))}
    </ul>
  );
}
