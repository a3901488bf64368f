import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Switch } from '../../../ui/controls/switch.tsx';

/** Whether links of the campaign are counted; nothing where the workspace counts none. */
export function CountsLinksField({
  value,
  onChange,
}: {
  value: boolean;
  onChange: (countsLinks: boolean) => void;
}) {
  const { data } = useQuery(orpc.conversions.getSettings.queryOptions({ input: {} }));
  if (!data?.countsLinks) return null;
  return (
    <Switch
      label={t('campaigns.form.countsLinks')}
      hint={t('campaigns.form.countsLinksHint', { base: data.base })}
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
