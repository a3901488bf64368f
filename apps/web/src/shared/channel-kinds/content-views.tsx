import { lazyDetail } from '../../ui/load-file.ts';
import type { ContentView } from './content-view.ts';

/** By kind of channel and content type; loaded when a message of the form is first shown. */
export const contentViews: Readonly<Record<string, ContentView>> = {
  'whatsapp/carousel': lazyDetail(async () => (await import('./whatsapp/carousel-view.tsx')).CarouselView),
  'rcs/text': lazyDetail(async () => (await import('./rcs/rcs-views.tsx')).TextView),
  'rcs/standalone_card': lazyDetail(async () => (await import('./rcs/rcs-views.tsx')).CardView),
  'rcs/file': lazyDetail(async () => (await import('./rcs/rcs-views.tsx')).FileView),
  'rcs/carousel': lazyDetail(async () => (await import('./rcs/rcs-views.tsx')).CarouselView),
};
