/** What of a conversation is shown beside each other, apart from what was said. */
export const galleryShelves = ['media', 'documents', 'audio', 'links'] as const;
export type GalleryShelf = (typeof galleryShelves)[number];
