import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { integrationErrorMessage } from '../integrations-queries.ts';

/** The fields of a service could not be read; a press asks for them again. */
export function FieldsError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" onClick={onRetry}>
          {t('integrations.fieldsAgain')}
        </Button>
      }
    >
      {integrationErrorMessage(error)}
    </Banner>
  );
}
