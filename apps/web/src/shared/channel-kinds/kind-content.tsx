import type { ContentValue } from '@app/domain/channel-kinds/content-type';
import { Component, Suspense, type ReactNode } from 'react';
import { contentViews } from './content-views.tsx';

/** A form of message of one kind of channel. `fallback` says the same in words: while the view loads, and where there is none. */
export function KindContent({
  channelKind,
  contentType,
  value,
  fallback,
}: {
  channelKind: string;
  contentType: string;
  value: ContentValue;
  fallback: ReactNode;
}) {
  const View = contentViews[`${channelKind}/${contentType}`];
  if (!View) return fallback;
  return (
    <OrWords fallback={fallback}>
      <Suspense fallback={fallback}>
        <View value={value} />
      </Suspense>
    </OrWords>
  );
}

/** A value from an older version of its form must not take the page along. */
class OrWords extends Component<{ fallback: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
