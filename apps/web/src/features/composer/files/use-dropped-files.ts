import { useEffect, useRef, useState } from 'react';

/** Files may be dropped anywhere on the page while a conversation is open; answers whether some are held over it. */
export function useDroppedFiles(onFiles: ((files: File[]) => void) | null): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  const isOn = onFiles !== null;
  useEffect(() => {
    if (!isOn) return undefined;
    const hasFiles = (event: DragEvent) =>
      Boolean(event.dataTransfer?.types.includes('Files')) && !isInDialog(event.target);
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onLeave = (event: DragEvent) => {
      // Only of the window as a whole.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setIsOver(false);
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      latest.current?.([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [isOn]);
  return isOn && isOver;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}
