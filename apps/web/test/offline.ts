import { onlineManager } from '@tanstack/react-query';
import { vi } from 'vitest';

/** As in a browser without a network; what comes back ends it. */
export function goOffline(): () => void {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onlineManager.setOnline(false);
  return () => {
    line.mockRestore();
    onlineManager.setOnline(true);
  };
}
