import { workspaceHeader } from '../workspaces/tab-workspace.ts';

/** Longest side; the server makes it smaller where it likes. */
const SIDE = 640;
/** Nobody waits longer for a picture that is only nice to have. */
const LONGEST_MS = 4_000;

/** Draws the first picture of a video that is being sent, and hands it to the server beside it. Never rejects: without one a video is shown by its sign. */
export async function sendVideoPicture(fileId: string, film: Blob): Promise<void> {
  const picture = await renderFirstPicture(film).catch(() => null);
  if (!picture) return;
  await fetch(`/api/conversations/files/${fileId}/thumbnail`, {
    method: 'POST',
    body: picture,
    headers: { 'content-type': 'application/octet-stream', ...workspaceHeader() },
    signal: AbortSignal.timeout(LONGEST_MS),
  }).catch(() => undefined);
}

async function renderFirstPicture(film: Blob): Promise<Blob | null> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(film);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = url;
    await happens(video, 'loadeddata');
    // Many videos begin in the dark.
    if (video.duration > 0.2) {
      const sought = happens(video, 'seeked');
      video.currentTime = Math.min(0.1, video.duration / 2);
      await sought;
    }
    const { videoWidth, videoHeight } = video;
    if (videoWidth === 0 || videoHeight === 0) return null;
    const scale = Math.min(1, SIDE / Math.max(videoWidth, videoHeight));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(videoWidth * scale));
    canvas.height = Math.max(1, Math.round(videoHeight * scale));
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

function happens(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The film does not play.')), LONGEST_MS);
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      settle();
    };
    video.addEventListener(event, end(resolve), { once: true });
    video.addEventListener(
      'error',
      end(() => reject(new Error('The film does not play.'))),
      { once: true },
    );
  });
}
