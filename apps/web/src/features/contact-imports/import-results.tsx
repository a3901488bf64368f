import { useNavigate } from '@tanstack/react-router';
import { MessageSquare, Users } from 'lucide-react';
import { handPeople } from '../../shared/contacts/handed-people.ts';
import { formatCountry, formatNumber } from '../../shared/formats.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { FailedRows } from './failed-rows.tsx';
import type { ContactImport, ImportChoices } from './running-import.ts';

/** How numbers were read; undefined where that is not known any more. */
type NumberReading = Pick<ImportChoices, 'country' | 'twofold'> | undefined;

/** Successful, Failed and Total, what can be done next, and why each failed row failed. A try speaks of what would happen. */
export function ImportResults({
  result,
  reading,
  onUpdate,
}: {
  result: ContactImport;
  reading: NumberReading;
  onUpdate: (() => void) | undefined;
}) {
  const { isDryRun, successful } = result;
  return (
    <div className="grid gap-4">
      {isDryRun ? <Banner>{t('contacts.importCheckText')}</Banner> : null}
      {result.state === 'undone' ? <Banner>{t('contacts.importIsUndoneText')}</Banner> : null}
      <SummaryCards>
        <SummaryCard
          label={t(isDryRun ? 'contacts.importWouldSucceed' : 'contacts.importSuccessful')}
          value={formatNumber(successful)}
        />
        <SummaryCard
          label={t(isDryRun ? 'contacts.importWouldFail' : 'contacts.importFailed')}
          value={formatNumber(result.failed)}
        />
        <SummaryCard label={t('contacts.importTotal')} value={formatNumber(result.total)} />
      </SummaryCards>
      {!isDryRun && result.state === 'done' && successful > 0 ? <NextSteps importId={result.id} /> : null}
      <Outcomes result={result} reading={reading} />
      {result.encoding === 'windows-1252' ? <Banner>{t('operations.readAsWestern')}</Banner> : null}
      {result.encoding === 'mixed' ? <Banner>{t('contacts.importMixed')}</Banner> : null}
      {result.failed > 0 ? (
        <FailedRows result={result} country={reading?.country} onUpdate={onUpdate} />
      ) : null}
    </div>
  );
}

/** Where people go from here. */
function NextSteps({ importId }: { importId: string }) {
  const navigate = useNavigate();
  const write = () => {
    handPeople({ choice: { filter: { importId } } });
    void navigate({ to: paths.bulkMessage });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to={paths.contacts} search={{ filter: `import:${importId}` }} icon={<Users aria-hidden />}>
        {t('contacts.importView')}
      </ButtonLink>
      {can('messages:create') && can('campaigns:create') ? (
        <Button icon={<MessageSquare aria-hidden />} onClick={write}>
          {t('contacts.importMessage')}
        </Button>
      ) : null}
    </div>
  );
}

function Outcomes({
  result: { isDryRun, successful, updated, optedOut, optOuts, optIns, twofold },
  reading,
}: {
  result: ContactImport;
  reading: NumberReading;
}) {
  const country = reading?.country;
  const sentences = [
    // A number of one country is often one of another, too: nothing else would tell before somebody is written to.
    isDryRun &&
      successful > 0 &&
      country !== undefined &&
      t('contacts.importWouldReadAsCountry', { country: formatCountry(country) }),
    twofold > 0 && nameReadings({ isDryRun, twofold }, reading),
    updated > 0 && t(isDryRun ? 'contacts.importWouldUpdate' : 'contacts.importUpdated', { n: updated }),
    optedOut > 0 && t(isDryRun ? 'contacts.importWouldStayOut' : 'contacts.importOptedOut', { n: optedOut }),
    optOuts > 0 && t(isDryRun ? 'contacts.importWouldOptOut' : 'contacts.importOptOuts', { n: optOuts }),
    optIns > 0 && t(isDryRun ? 'contacts.importWouldOptIn' : 'contacts.importOptIns', { n: optIns }),
  ].filter((sentence) => sentence !== false);
  return sentences.map((sentence) => (
    <p key={sentence} className="text-muted">
      {sentence}
    </p>
  ));
}

/** Without a country there was no second reading to choose: the first digits counted as the code. */
function nameReadings(
  { isDryRun, twofold: n }: Pick<ContactImport, 'isDryRun' | 'twofold'>,
  reading: NumberReading,
): string {
  if (reading && reading.country === undefined)
    return t(isDryRun ? 'contacts.importWouldBeWhole' : 'contacts.importWasWhole', { n });
  return t(isDryRun ? 'contacts.importWouldBeAmbiguous' : 'contacts.importWasAmbiguous', {
    n,
    reading: reading?.twofold ?? 'unknown',
  });
}
