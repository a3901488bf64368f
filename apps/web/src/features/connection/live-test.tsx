import { CircleStop, Radio } from 'lucide-react';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import type { Call, LiveTest as Test } from './use-live-test.ts';

interface LiveTestProps {
  test: Test;
  items: readonly Call[];
}

export function LiveTestButton({ test, items }: LiveTestProps) {
  return (
    <Button icon={<Radio aria-hidden />} disabled={test.isWaiting(items)} onClick={() => test.start(items)}>
      {t('connection.calls.test')}
    </Button>
  );
}

/** What somebody who waits is to do, what arrived, and after a while what to look at. */
export function LiveTest({ test, items, name }: LiveTestProps & { name: string }) {
  const arrived = test.find(items);
  if (arrived)
    return (
      <Banner tone="success">
        {t('connection.calls.arrived', {
          state: t(`connection.calls.${arrived.state}`),
          ms: formatNumber(arrived.milliseconds),
        })}
      </Banner>
    );
  if (!test.isWaiting(items)) return null;
  const refused = test.findRefused(items);
  return (
    <Banner
      action={
        <Button size="small" icon={<CircleStop aria-hidden />} onClick={test.stop}>
          {t('connection.calls.stop')}
        </Button>
      }
    >
      <p>{t('connection.calls.waiting', { name })}</p>
      {refused ? (
        <p className="mt-1 font-normal">
          {t('connection.calls.refusedMeanwhile', { state: t(`connection.calls.${refused.state}`) })}
        </p>
      ) : null}
      {test.isLate ? <Hints name={name} /> : null}
    </Banner>
  );
}

function Hints({ name }: { name: string }) {
  return (
    <>
      <p className="mt-2">{t('connection.calls.late')}</p>
      <ul className="mt-1 list-disc pl-5 font-normal">
        <li>{t('connection.calls.late.subscribed')}</li>
        <li>{t('connection.calls.late.published')}</li>
        <li>{t('connection.calls.late.address')}</li>
        <li>{t('connection.calls.late.message', { name })}</li>
      </ul>
    </>
  );
}
