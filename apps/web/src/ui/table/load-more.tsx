import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';

/** The end of a list that goes on: loads the next page when it comes into view, or on a press. */
export function LoadMore({
  label,
  loading,
  onReached,
}: {
  label: string;
  loading: boolean;
  onReached: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onReached);
  useEffect(() => {
    latest.current = onReached;
  });
  useEffect(() => {
    const place = end.current;
    if (!place || loading) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: '400px' },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, [loading]);
  return (
    <div ref={end} className="flex justify-center py-6">
      <Button loading={loading} onClick={onReached}>
        {label}
      </Button>
    </div>
  );
}
