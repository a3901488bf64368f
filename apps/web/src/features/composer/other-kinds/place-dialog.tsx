import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import type { OutboxContent } from '../../../shared/outbox/outbox-items.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { readPoint } from './read-place.ts';

/** A place: where this device is, or coordinates from a map. No map of others is asked. */
export function PlaceDialog({
  onSend,
  onClose,
}: {
  onSend: (content: Extract<OutboxContent, { location: unknown }>) => Promise<boolean>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [isLocating, setIsLocating] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const point = readPoint(typed);

  function locate() {
    setIsLocating(true);
    setIsRefused(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setIsLocating(false);
        setTyped(`${latitude.toFixed(6)}, ${longitude.toFixed(6)}`);
      },
      () => {
        setIsLocating(false);
        setIsRefused(true);
      },
      { timeout: 15_000 },
    );
  }

  async function send() {
    if (!point) return;
    const words = {
      ...(name.trim() && { name: name.trim() }),
      ...(address.trim() && { address: address.trim() }),
    };
    if (await onSend({ location: { ...point, ...words } })) onClose();
  }

  return (
    <FormDialog
      title={t('composer.place')}
      submitLabel={t('composer.send')}
      isReady={point !== null}
      whyNot={t('composer.place.needed')}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field
        label={t('composer.place.point')}
        hint={t('composer.place.pointHint')}
        error={isRefused ? t('composer.place.refused') : undefined}
        required
      >
        <Input
          value={typed}
          maxLength={1000}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {'geolocation' in navigator && globalThis.isSecureContext ? (
        <Button
          className="self-start"
          icon={<LocateFixed aria-hidden />}
          loading={isLocating}
          onClick={locate}
        >
          {t('composer.place.here')}
        </Button>
      ) : null}
      <Field label={t('composer.place.name')}>
        <Input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t('composer.place.address')}>
        <Input value={address} maxLength={500} onChange={(event) => setAddress(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
