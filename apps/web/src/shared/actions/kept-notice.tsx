import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { formatRelativeTime } from '../formats.ts';
import { t } from '../messages.ts';

/** Says that the form holds what somebody typed before, and gives the way to an empty one. */
export function KeptNotice({ at, onStartOver }: { at: number; onStartOver: () => void }) {
  return (
    <Banner
      tone="info"
      action={
        <Button size="small" onClick={onStartOver}>
          {t('writing.kept.startOver')}
        </Button>
      }
    >
      {t('writing.kept', { when: formatRelativeTime(at) })}
    </Banner>
  );
}
