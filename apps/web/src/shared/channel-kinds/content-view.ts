import type { ContentValue } from '@app/domain/channel-kinds/content-type';
import type { ComponentType } from 'react';

/** Shows a value of one content type, in a bubble of a conversation and in the preview of a phone alike. */
export type ContentView = ComponentType<{ value: ContentValue }>;
