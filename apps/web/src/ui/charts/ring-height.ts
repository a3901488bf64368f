/** Beside its list; on a phone above it, or it could not be read there. */
export const RING_HEIGHT = 'h-44 max-sm:h-72';
