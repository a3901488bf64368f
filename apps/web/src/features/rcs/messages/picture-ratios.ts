import type { Card, MediaPlace } from '@app/domain/channel-kinds/rcs/rcs-contents';
import { useEffect, useState } from 'react';
import { inWorkspace } from '../../../shared/workspaces/tab-workspace.ts';

/** Width by height of the pictures of these cards, measured once each. Those at addresses outside the product are not loaded, so nothing is known of them. */
export function usePictureRatios(cards: readonly Card[]): (media: MediaPlace) => number | undefined {
  const [ratios, setRatios] = useState<Readonly<Record<string, number>>>({});
  const ids = cards.flatMap(({ media }) =>
    media?.file?.mimeType?.startsWith('image/') ? [media.file.id] : [],
  );
  const unknown = [...new Set(ids)].filter((id) => ratios[id] === undefined).join(' ');
  useEffect(() => {
    if (unknown === '') return undefined;
    let isOver = false;
    for (const id of unknown.split(' ')) {
      const picture = new Image();
      picture.onload = () => {
        const { naturalWidth: width, naturalHeight: height } = picture;
        if (!isOver && height > 0) setRatios((known) => ({ ...known, [id]: width / height }));
      };
      picture.src = inWorkspace(`/api/media/${id}/content`);
    }
    return () => {
      isOver = true;
    };
  }, [unknown]);
  return ({ file }) => (file ? ratios[file.id] : undefined);
}
