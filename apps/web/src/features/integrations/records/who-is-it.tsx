import type { FailedRecord } from '../integrations-queries.ts';

/** Who a record of the service is of. */
export function WhoIsIt({
  record: { name, phone, email, externalId },
}: {
  record: Pick<FailedRecord, 'name' | 'phone' | 'email' | 'externalId'>;
}) {
  const called = name || phone || externalId;
  return (
    <p className="wrap-anywhere">
      <span className="font-medium">{called}</span>{' '}
      <span dir="ltr" className="text-sm text-muted">
        {[phone, email].filter((text) => text && text !== called).join(' · ')}
      </span>
    </p>
  );
}
