import { Plus } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';

export function AddUserButton({ onOpen }: { onOpen: () => void }) {
  return (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={onOpen}>
      {t('users.add')}
    </Button>
  );
}
