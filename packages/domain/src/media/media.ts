export const mediaTypes = ['image', 'video', 'audio', 'document'] as const;
export type MediaType = (typeof mediaTypes)[number];

/** What a file is meant for; it decides the types and the size that are accepted. */
export const mediaPurposes = [
  'header_image',
  'header_video',
  'header_document',
  'attachment',
  'card',
] as const;
export type MediaPurpose = (typeof mediaPurposes)[number];

export type MediaRule = {
  /** Megabytes of 1,048,576 bytes. */
  maxMegabytes: number;
  mimeTypes: readonly MediaMimeType[];
};

/** Every type that the product takes in: those that the platform delivers as what they are, with the kind that it is and the endings that people know it by. */
export const mediaMimeTypes = {
  'image/jpeg': { type: 'image', extensions: ['jpg', 'jpeg'] },
  'image/png': { type: 'image', extensions: ['png'] },
  'image/gif': { type: 'image', extensions: ['gif'] },
  'video/webm': { type: 'video', extensions: ['webm'] },
  'video/mp4': { type: 'video', extensions: ['mp4', 'm4v'] },
  'video/3gpp': { type: 'video', extensions: ['3gp', '3gpp'] },
  'application/pdf': { type: 'document', extensions: ['pdf'] },
  'application/msword': { type: 'document', extensions: ['doc'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    type: 'document',
    extensions: ['docx'],
  },
} as const satisfies Record<string, { type: MediaType; extensions: readonly string[] }>;
export type MediaMimeType = keyof typeof mediaMimeTypes;

const images = ['image/jpeg', 'image/png'] as const;
const videos = ['video/mp4', 'video/3gpp'] as const;
const documents = [
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
] as const;

/** Limits of the specification: 16 MB, but 5 MB for headers that are no video. */
export const mediaRules: Record<MediaPurpose, MediaRule> = {
  header_image: { maxMegabytes: 5, mimeTypes: images },
  header_video: { maxMegabytes: 16, mimeTypes: videos },
  header_document: { maxMegabytes: 5, mimeTypes: documents },
  attachment: {
    maxMegabytes: 16,
    mimeTypes: [...images, ...videos, ...documents],
  },
  // https://developers.google.com/business-communications/rcs-business-messaging/guides/build/messages/send
  card: {
    maxMegabytes: 100,
    mimeTypes: [...images, 'image/gif', 'video/mp4', 'video/webm', 'application/pdf'],
  },
};

export const BYTES_PER_MEGABYTE = 1_048_576;

export function isMediaMimeType(mimeType: string): mimeType is MediaMimeType {
  return Object.hasOwn(mediaMimeTypes, mimeType);
}

/** For a file picker: `image/png,.png,…`. */
export function acceptOf(purpose: MediaPurpose): string {
  return mediaRules[purpose].mimeTypes
    .flatMap((mimeType) => [mimeType, ...mediaMimeTypes[mimeType].extensions.map((ending) => `.${ending}`)])
    .join(',');
}
