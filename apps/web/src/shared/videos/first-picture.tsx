import { useEffect, useRef, useState } from 'react';

/**
 * The first picture of a video, by the browser: of the video itself no more is read than that, and nothing before it comes into view. `onNone`: the
 * browser cannot show it.
 */
export function FirstPicture({
  source,
  className,
  onNone,
}: {
  source: string;
  className?: string;
  onNone: () => void;
}) {
  const frame = useRef<HTMLVideoElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const video = frame.current;
    if (!video) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(video);
    return () => observer.disconnect();
  }, []);
  return (
    // It is a picture: nobody plays it here, and what it is stands beside it.
    <video
      ref={frame}
      {...(isNear && { src: `${source}#t=0.1` })}
      preload="metadata"
      muted
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      aria-hidden
      className={className}
      onError={onNone}
    />
  );
}
