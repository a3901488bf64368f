import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { whenSettled } from '../../ui/load-file.ts';

/** Long enough that what the page shows first is there. */
const QUIET_MS = 1_500;

/** A part below the first screen: drawn once it comes into sight, or once the page is quiet and the first view has settled. */
export function WhenNear({
  isThere = false,
  placeholder,
  children,
}: {
  /** Nothing has to be loaded any more. */
  isThere?: boolean;
  placeholder: ReactNode;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isDue, setDue] = useState(isThere);
  useEffect(() => {
    if (isDue || !place.current) return undefined;
    let isGone = false;
    const draw = () => !isGone && setDue(true);
    const timer = setTimeout(() => void whenSettled().then(draw), QUIET_MS);
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) draw();
    });
    observer.observe(place.current);
    return () => {
      isGone = true;
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [isDue]);
  return isDue ? children : <div ref={place}>{placeholder}</div>;
}
