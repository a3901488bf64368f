import { Suspense } from 'react';
import { loadMessages, t } from '../../../shared/messages.ts';
import { lazyDetail } from '../../../ui/load-file.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { usualAbTest, type AbTestDraft } from './ab-test-draft.ts';
import type { AbTestFieldsProps } from './ab-test-fields.tsx';

const AbTestFields = lazyDetail(async () => {
  await loadMessages('ab-tests');
  return (await import('./ab-test-fields.tsx')).AbTestFields;
});

/** A test of several messages: behind one press, and loaded then. */
export function AbTestSwitch({
  test,
  onChange,
  ...rest
}: Omit<AbTestFieldsProps, 'test' | 'onChange'> & {
  test: AbTestDraft | null;
  onChange: (test: AbTestDraft | null) => void;
}) {
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('campaigns.test.switch')}
        hint={t('campaigns.test.switchHint')}
        checked={test !== null}
        onChange={({ target }) => onChange(target.checked ? usualAbTest : null)}
      />
      {test === null ? null : (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <AbTestFields test={test} onChange={onChange} {...rest} />
        </Suspense>
      )}
    </div>
  );
}
